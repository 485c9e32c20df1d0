"""Doors of the room runtime: what this build and this processor can do."""

cdef extern from "tokumei/runtime/instruction_sets.hpp" namespace "tokumei::runtime" nogil:
    cdef enum class InstructionSet(int):
        pass
    InstructionSet _best_level "tokumei::runtime::best_instruction_set"() noexcept

cdef extern from *:
    """
    #if defined(__clang__)
    #define TOKUMEI_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define TOKUMEI_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_VER)
    #define TOKUMEI_COMPILER "msvc"
    #else
    #define TOKUMEI_COMPILER "unknown"
    #endif
    """
    const char* _compiler "TOKUMEI_COMPILER"
    const char* _version "TOKUMEI_VERSION"


def best_instruction_set():
    return <int> _best_level()


def version():
    return _version.decode()


def compiler():
    return _compiler.decode()
