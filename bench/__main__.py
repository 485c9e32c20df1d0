"""``python -m bench``, from the root of the repository."""

import sys

from bench.measure import one_thread

if __name__ == "__main__":
    one_thread()
    if sys.argv[1:] == ["attack"]:
        from bench.attack import main
    elif sys.argv[1:2] == ["risk"]:
        from bench.risk import main as judge

        sys.exit(judge(sys.argv[2:]))
    elif sys.argv[1:2] == ["growth"]:
        from bench.growth import main as grow

        sys.exit(grow(sys.argv[2:]))
    else:
        from bench.command import main

    sys.exit(main())
