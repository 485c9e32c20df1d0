"""Instructions above baseline outside the functions that are chosen at run time, by disassembly.

    python tests/wheels/instructions.py LIBRARY ...

A processor without AVX2 must never meet one of its instructions: a kernel is compiled for each set
inside `on_avx2` and `on_avx512` (runtime/instruction_sets.hpp), and everything else for x86-64 as
it began, SSE2. The libraries must not be stripped.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HEADING = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\t(?:(?:bnd|data16|lock|notrack|rep[nz]*|cs|ds) )*(\S+)")
CHOSEN = re.compile(r"on_avx(2|512)I")
# Encoded as `rep bsf`, which every processor runs, and compilers write for it, tzcnt is none.
ABOVE = re.compile(
    r"""v(?!err|erw).*                                                     # AVX and what followed
    | k(add|and|mov|not|or|shift|test|unpck|x?nor|xor).*                    # masks of AVX-512
    | addsubp[ds] | h(add|sub)p[ds] | lddqu | mov(d|sh|sl)dup | mwait       # SSE3
    | pabs[bdw] | palignr | ph(add|sub).* | pmaddubsw | pmulhrsw | pshufb | psign[bdw]
    | blend.* | dpp[ds] | extractps | insertps | movntdqa | mpsadbw | packusdw | pblend.*
    | pcmp(eqq|gtq|[ei]str.*) | p(ext|ins)r[bdq] | phminposuw | pm(ax|in)(s[bd]|u[dw])
    | pmov[sz]x.* | pmul(dq|ld) | ptest | round[ps][ds] | crc32.* | popcnt.*  # SSSE3, SSE4
    | lzcnt.* | andn | bextr | bls(i|msk|r) | bzhi | mulx | pdep | pext | rorx | s(ar|hl|hr)x
    | aes.* | pclmul.* | sha(1|256).* | adcx | adox | movbe.* | rd(rand|seed)""",
    re.VERBOSE,
)


def disassembled(library: Path) -> Iterator[tuple[str, str]]:
    """Every instruction of a library with the symbol that it stands under."""
    command = ["objdump", "-d", "--no-show-raw-insn", str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        symbol = ""
        for line in running.stdout:
            if heading := HEADING.match(line):
                symbol = heading[1]
            elif found := INSTRUCTION.match(line):
                yield symbol, found[1]
    if running.returncode:
        msg = f"objdump cannot read {library.name}"
        raise ValueError(msg)


def above_baseline(library: Path) -> tuple[set[tuple[str, str]], int]:
    """What stands where it must not, by symbol and instruction; and how many stand where they may.

    A library without symbols of functions that are chosen would be one of which nothing is known.
    """
    wrong, allowed = set(), 0
    for symbol, instruction in disassembled(library):
        if ABOVE.fullmatch(instruction):
            if CHOSEN.search(symbol):
                allowed += 1
            else:
                wrong.add((symbol, instruction))
    return wrong, allowed


def main(libraries: list[str]) -> int:
    failed = 0
    for each in map(Path, libraries):
        wrong, allowed = above_baseline(each)
        print(f"{each.name:<24} {len(wrong)} wrong, {allowed} in functions chosen at run time")
        for symbol, instruction in sorted(wrong)[:20]:
            print(f"    {instruction:<12} {symbol}")
        failed += bool(wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
