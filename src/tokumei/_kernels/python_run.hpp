// Where C++ meets Python: how a kernel asks the interpreter whether to go on, and how its
// exceptions become Python's. The only header that knows Python.
#pragma once

#include <Python.h>

#include <new>
#include <stdexcept>

#include "tokumei/runtime/run.hpp"

namespace tokumei::runtime {

// Handles pending signals (Ctrl-C), then calls `context`, a Python callable or None, with the share
// of the work done. False where either raised; the exception stays set for `raise_in_python`.
inline bool ask_python(void* context, double done) noexcept {
  const PyGILState_STATE gil = PyGILState_Ensure();
  bool go_on = PyErr_CheckSignals() == 0;
  auto* callback = static_cast<PyObject*>(context);
  if (go_on && callback != Py_None) {
    PyObject* answer = PyObject_CallFunction(callback, "d", done);
    go_on = answer != nullptr;
    Py_XDECREF(answer);
  }
  PyGILState_Release(gil);
  return go_on;
}

inline Run python_run(unsigned n_threads, int isa, PyObject* callback) {
  return Run{n_threads, instruction_set_of(isa), ProgressMonitor(ask_python, callback)};
}

// Called inside a catch block with the GIL held.
inline void raise_in_python() {
  try {
    throw;
  } catch (const Interrupted&) {
    if (PyErr_Occurred() == nullptr) PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "not enough memory for this table");
  } catch (const std::logic_error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace tokumei::runtime
