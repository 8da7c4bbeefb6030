#include <thud/contact.hpp>
#include <thud/profile.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

void bind_laws(nb::module_& m) {
  value<Spring>(m, "Spring", THUD_FIELD(Spring, stiffness), THUD_FIELD(Spring, restitution))
      .def("validate", &Spring::validate);
  value<Maxwell>(m, "Maxwell", THUD_FIELD(Maxwell, stiffness), THUD_FIELD(Maxwell, damping))
      .def("validate", &Maxwell::validate);
  value<Viscoelastic>(m, "Viscoelastic", THUD_FIELD(Viscoelastic, stiffness), THUD_FIELD(Viscoelastic, damping))
      .def("validate", &Viscoelastic::validate);
  value<HuntCrossley>(m, "HuntCrossley", THUD_FIELD(HuntCrossley, stiffness), THUD_FIELD(HuntCrossley, damping),
                      THUD_FIELD(HuntCrossley, exponent))
      .def("validate", &HuntCrossley::validate);
  nb::enum_<LawKind>(m, "LawKind", doc("LawKind"))
      .value("spring", LawKind::spring)
      .value("maxwell", LawKind::maxwell)
      .value("viscoelastic", LawKind::viscoelastic)
      .value("hunt_crossley", LawKind::hunt_crossley);
  m.def("law_name", nb::overload_cast<LawKind>(&law_name), nb::arg("kind"), doc("contact:law_name"));
  m.def("law_name", nb::overload_cast<const ContactLaw&>(&law_name), nb::arg("law"), doc("contact:law_name"));
  m.def("law_named", &law_named, nb::arg("name"), doc("contact:law_named"));
  m.def("law_parameters", nb::overload_cast<const ContactLaw&>(&law_parameters), nb::arg("law"),
        doc("contact:law_parameters"));
  m.def("validate", nb::overload_cast<const ContactLaw&>(&validate), nb::arg("law"), doc("contact:validate"));

  m.def("force", nb::overload_cast<const Spring&, double, double>(&force), nb::arg("law"), nb::arg("x"), nb::arg("v"),
        doc("contact:force"));
  m.def("force", nb::overload_cast<const Viscoelastic&, double, double>(&force), nb::arg("law"), nb::arg("x"),
        nb::arg("v"), doc("contact:force"));
  m.def("force", nb::overload_cast<const HuntCrossley&, double, double>(&force), nb::arg("law"), nb::arg("x"),
        nb::arg("v"), doc("contact:force"));
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
