#include "bind.hpp"
#include "text.hpp"

namespace thud::python {
namespace {

/// One Python class per C++ class, with the same message: thud/error.py has them.
void raise(const char* name, const Error& error) {
  const auto type = nb::module_::import_("thud.error").attr(name);
  const nb::object made =
      type(with_any_bytes(error.argument()), with_any_bytes(error.value()), with_any_bytes(error.rule()));
  PyErr_SetObject(type.ptr(), made.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const InputError& error) {
    raise("InputError", error);
  } catch (const RobotError& error) {
    raise("RobotError", error);
  } catch (const FileError& error) {
    raise("FileError", error);
  } catch (const PlantError& error) {
    raise("PlantError", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

NB_MODULE(_thud, m) {
  m.attr("__name__") = "thud";  // where users find what is defined here
  nb::register_exception_translator(translate);
  bind_foundation(m);
  bind_robot(m);
  bind_mechanics(m);
  bind_impulse(m);
  bind_impact(m);
  bind_detect(m);
  bind_contact(m);
  bind_translate(m);
  bind_elastic(m);
  bind_limit(m);
  bind_map(m);
  bind_aim(m);
  bind_record(m);
  bind_fit(m);
  bind_dataset(m);
  bind_lab(m);
  bind_study(m);
  bind_sweep(m);
  bind_report(m);
  m.attr("__name__") = "thud._thud";
  m.attr("__version__") = THUD_VERSION;
}

}  // namespace thud::python
