"""Every kernel beside the plain truth, its peers and the machine.

    python -m bench                     all kernels, minutes
    python -m bench mdav --quick        one kernel, seconds
    cd bench && asv run -E existing:same --quick --dry-run

A *kernel* (`bench/kernels`) is a name, the cases it is run on, tokumei's function, the way two
answers are compared and the least time the machine could need. A *problem* (`bench/problems.py`) is
a table by name and size. A *peer* (`bench/peers`) is a module with one function for each kernel it
can compute, under the kernel's name and with the kernel's arguments. To add one of them, add it to
its list.

`bench/race.py` runs one case; `bench/report.py` prints it. `bench/benchmarks` is for asv: the
history of tokumei's own times, memory and losses.
"""
