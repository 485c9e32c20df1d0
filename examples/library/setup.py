from Cython.Build import cythonize
from setuptools import Extension, setup

import tokumei

flags = ["-std=c++20", "-ffp-contract=off"]
where = {"include_dirs": [tokumei.get_include()], "extra_compile_args": flags, "language": "c++"}
setup(ext_modules=cythonize(Extension("clinic.bands", ["clinic/bands.pyx"], **where)))
