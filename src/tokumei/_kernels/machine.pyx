"""Doors to tokumei/instructions.hpp: what this build and this processor can do."""

cdef extern from "tokumei/instructions.hpp" namespace "tokumei" nogil:
    cdef enum class Level(int):
        pass
    Level _best_level "tokumei::best_level"() noexcept

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


def best_level():
    return <int> _best_level()


def version():
    return _version.decode()


def compiler():
    return _compiler.decode()
