#include <thud/contact.hpp>
#include <thud/profile.hpp>

#include <cctype>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "bind.hpp"

namespace thud::python {
namespace {

/// "hunt_crossley" as "HuntCrossley".
std::string class_name(std::string_view law) {
  std::string name;
  bool first = true;
  for (const char c : law) {
    if (c != '_') name += static_cast<char>(first ? std::toupper(static_cast<unsigned char>(c)) : c);
    first = c == '_';
  }
  return name;
}

/// A law as a class whose fields are the rows of its table.
template <class Law, std::size_t... i>
void bind_law(nb::module_& m, std::index_sequence<i...>) {
  static const std::string name = class_name(Law::name);
  value<Law>(m, name.c_str(), Field<Law, double>{Law::parameters[i].name.data(), Law::parameters[i].field}...);
}

/// Its force, where that is a function of compression and rate alone.
template <class Law>
void bind_force(nb::module_& m) {
  if constexpr (requires(const Law& law) { force(law, 0.0, 0.0); })
    m.def("force", nb::overload_cast<const Law&, double, double>(&force), nb::arg("law"), nb::arg("x"), nb::arg("v"),
          doc("contact:force"));
}

template <class... Laws>
void bind_forces(nb::module_& m, const std::variant<Laws...>*) {
  (bind_force<Laws>(m), ...);
}

template <class... Laws>
void bind_every(nb::module_& m, const std::variant<Laws...>*) {
  (bind_law<Laws>(m, std::make_index_sequence<std::size(Laws::parameters)>()), ...);
}

void bind_laws(nb::module_& m) {
  bind_every(m, static_cast<const ContactLaw*>(nullptr));
  nb::enum_<LawKind> kinds(m, "LawKind", doc("LawKind"));
  for (const LawKind kind : all_laws) kinds.value(to_string(kind).data(), kind);
  m.def("kind_of", &kind_of, nb::arg("law"), doc("contact:kind_of"));
  m.def("law_from_name", &law_from_name, nb::arg("name"), doc("contact:law_from_name"));
  m.def("law_names", &law_names, doc("contact:law_names"));
  m.def("parameter_names", &parameter_names, doc("contact:parameter_names"));
  m.def("typical_law", &typical_law, nb::arg("kind"), doc("contact:typical_law"));
  m.def("parameter_unit", &parameter_unit, nb::arg("kind"), nb::arg("parameter"), doc("contact:parameter_unit"));
  m.def("law_parameters", nb::overload_cast<const ContactLaw&>(&law_parameters), nb::arg("law"),
        doc("contact:law_parameters"));
  m.def("validate", nb::overload_cast<const ContactLaw&>(&validate), nb::arg("law"), doc("contact:validate"));

  bind_forces(m, static_cast<const ContactLaw*>(nullptr));
  m.def("force_rate", &force_rate, nb::arg("law"), nb::arg("f"), nb::arg("v"), doc("contact:force_rate"));
  m.def("restitution", &restitution, nb::arg("law"), nb::arg("mass"), nb::arg("velocity"), doc("contact:restitution"));
  m.def("restitution_asymptotic", &restitution_asymptotic, nb::arg("law"), nb::arg("velocity"),
        doc("contact:restitution_asymptotic"));
}

/// One instant a row of memory: each quantity is a strided view of it.
nb::dict state_arrays(std::vector<ContactState> states) {
  constexpr std::pair<const char*, double ContactState::*> fields[] = {{"time", &ContactState::time},
                                                                       {"force", &ContactState::force},
                                                                       {"compression", &ContactState::compression},
                                                                       {"velocity", &ContactState::velocity},
                                                                       {"impulse", &ContactState::impulse},
                                                                       {"kinetic", &ContactState::kinetic},
                                                                       {"potential", &ContactState::potential},
                                                                       {"dissipated", &ContactState::dissipated}};
  auto* const held = new std::vector<ContactState>(std::move(states));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<ContactState>*>(p); });
  constexpr auto stride = static_cast<std::int64_t>(sizeof(ContactState) / sizeof(double));
  nb::dict arrays;
  for (const auto& [name, member] : fields)
    arrays[name] = View<-1>(held->empty() ? nullptr : &(held->front().*member), {held->size()}, owner, {stride}).cast();
  return arrays;
}

void bind_profile(nb::module_& m) {
  result<Peak>(m, "Peak", THUD_FIELD(Peak, time), THUD_FIELD(Peak, force));
  result<EndOfCompression>(m, "EndOfCompression", THUD_FIELD(EndOfCompression, time),
                           THUD_FIELD(EndOfCompression, depth), THUD_FIELD(EndOfCompression, force));
  result<EndOfContact>(m, "EndOfContact", THUD_FIELD(EndOfContact, time), THUD_FIELD(EndOfContact, velocity));
  result<EndOfForce>(m, "EndOfForce", THUD_FIELD(EndOfForce, time), THUD_FIELD(EndOfForce, fraction));
  result<Impulses>(m, "Impulses", THUD_FIELD(Impulses, peak), THUD_FIELD(Impulses, compression),
                   THUD_FIELD(Impulses, total));
  result<Energies>(m, "Energies", THUD_FIELD(Energies, initial), THUD_FIELD(Energies, stored_max),
                   THUD_FIELD(Energies, dissipated), THUD_FIELD(Energies, final));
  result<ForceProfile>(m, "ForceProfile", THUD_FIELD(ForceProfile, law), THUD_FIELD(ForceProfile, mass),
                       THUD_FIELD(ForceProfile, velocity), THUD_FIELD(ForceProfile, restitution),
                       THUD_FIELD(ForceProfile, peak), THUD_FIELD(ForceProfile, end_of_compression),
                       THUD_FIELD(ForceProfile, end_of_contact), THUD_FIELD(ForceProfile, end_of_force),
                       THUD_FIELD(ForceProfile, impulse), THUD_FIELD(ForceProfile, energy));
  result<ContactState>(m, "ContactState", THUD_FIELD(ContactState, time), THUD_FIELD(ContactState, force),
                       THUD_FIELD(ContactState, compression), THUD_FIELD(ContactState, velocity),
                       THUD_FIELD(ContactState, impulse), THUD_FIELD(ContactState, kinetic),
                       THUD_FIELD(ContactState, potential), THUD_FIELD(ContactState, dissipated));
  m.def("force_profile", &force_profile, nb::arg("law"), nb::arg("mass"), nb::arg("velocity"),
        nb::arg("end_fraction") = 0.01, doc("profile:force_profile"));
  m.def("state", &state, nb::arg("profile"), nb::arg("time"), doc("profile:state"));
  m.def(
      "states",
      [](const ForceProfile& profile, const Vector<"times">& times) {
        const VectorRef instants = times;
        std::vector<ContactState> found;
        {
          const nb::gil_scoped_release free;
          found = states(profile, instants);
        }
        return nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy, const double, nb::shape<-1>>>(
            state_arrays(std::move(found)));
      },
      nb::arg("profile"), nb::arg("times"),
      "The impact at many instants: an array a quantity, by the names that ContactState has.");
  m.def("warnings", nb::overload_cast<const ForceProfile&>(&warnings), nb::arg("profile"), doc("profile:warnings"));
}

}  // namespace

void bind_contact(nb::module_& m) {
  bind_laws(m);
  bind_profile(m);
}

}  // namespace thud::python
