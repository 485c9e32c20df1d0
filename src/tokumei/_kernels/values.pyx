"""Equal Python objects: the one loop over values that cannot leave the interpreter."""
from libc.stdint cimport int64_t

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject


def number_objects(
    list items,  # IN
    int64_t[::1] numbers,  # OUT
):
    """Number equal objects alike, from 0 in the order of first occurrence; return them so."""
    cdef dict known = {}
    cdef PyObject* found
    cdef Py_ssize_t place
    for place in range(len(items)):
        item = items[place]
        found = PyDict_GetItemWithError(known, item)
        if found is NULL:
            numbers[place] = len(known)
            known[item] = len(known)
        else:
            numbers[place] = <object> found
    return list(known)
