#include <thud/impact_prediction.hpp>

#include "bind.hpp"

namespace nanobind::detail {

/// The phases of an impact as a tuple.
template <>
struct type_caster<thud::ImpactPhases> {
  NB_TYPE_CASTER(thud::ImpactPhases, const_name("tuple[") + make_caster<thud::ImpactPhase>::Name + const_name(", ...]"))

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    std::vector<thud::ImpactPhase> phases;
    if (!try_cast(source, phases) || phases.size() > thud::ImpactPhases::max_size) return false;
    value.clear();
    for (const thud::ImpactPhase& phase : phases) value.push_back(phase);
    return true;
  }

  static handle from_cpp(const thud::ImpactPhases& phases, rv_policy, cleanup_list*) {
    list items;
    for (const thud::ImpactPhase& phase : phases) items.append(cast(phase, rv_policy::copy));
    return PyList_AsTuple(items.ptr());
  }
};

}  // namespace nanobind::detail

namespace thud::python {

template <>
ImpactPrediction blank() {
  return ImpactPrediction(0);
}

namespace {

/// A kind of restitution, or its name.
using Kind = std::variant<RestitutionKind, std::string>;

RestitutionKind kind_of(const Kind& kind) {
  if (const auto* member = std::get_if<RestitutionKind>(&kind)) return *member;
  const std::string& name = std::get<std::string>(kind);
  for (const RestitutionKind each : all_restitution_kinds)
    if (to_string(each) == name) return each;
  throw InputError("kind", name, "must be one of energetic, newton, poisson");
}

ImpactOptions options_of(double friction, double restitution, const Kind& kind) {
  return {.friction = friction, .restitution = restitution, .kind = kind_of(kind)};
}

void bind_results(nb::module_& m) {
  enumeration(m, "RestitutionKind", {RestitutionKind::energetic, RestitutionKind::newton, RestitutionKind::poisson});
  m.attr("all_restitution_kinds") = nb::tuple(nb::cast(all_restitution_kinds));
  enumeration(m, "ContactMode", {ContactMode::slip, ContactMode::stick});
  enumeration(m, "ImpactStatus",
              {ImpactStatus::not_run, ImpactStatus::ok, ImpactStatus::no_approach, ImpactStatus::wedged});
  result<ImpactPhase>(m, "ImpactPhase", THUD_FIELD(ImpactPhase, mode), THUD_FIELD(ImpactPhase, normal_impulse),
                      THUD_FIELD(ImpactPhase, normal_work), THUD_FIELD(ImpactPhase, friction_work));
  result<Impact>(m, "Impact", THUD_FIELD(Impact, status), THUD_FIELD(Impact, impulse),
                 THUD_FIELD(Impact, velocity_after), THUD_FIELD(Impact, compression), THUD_FIELD(Impact, energy_lost),
                 THUD_FIELD(Impact, jam), THUD_FIELD(Impact, phases))
      .def_prop_ro("exists", &Impact::exists, doc("Impact.exists"));
  result<ImpactState>(m, "ImpactState", THUD_FIELD(ImpactState, mode), THUD_FIELD(ImpactState, impulse),
                      THUD_FIELD(ImpactState, velocity));
}

void bind_objects(nb::module_& m) {
  value<Object>(m, "Object", THUD_FIELD(Object, mass), THUD_FIELD(Object, inertia_W), THUD_FIELD(Object, com_W),
                THUD_FIELD(Object, velocity), THUD_FIELD(Object, angular_velocity));
  value<ContactResponse>(m, "ContactResponse", THUD_FIELD(ContactResponse, W), THUD_FIELD(ContactResponse, velocity));
  m.def(
      "contact_response",
      [](const Object& object, const Three<"p_WC">& p_WC) { return contact_response(object, p_WC); }, nb::arg("object"),
      nb::arg("p_WC"), doc("object:contact_response"));
  m.def(
      "contact_response",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, const InverseInertia& inertia) {
        require_joints(dq, dynamics.J.cols(), "dq");
        return contact_response(dynamics, dq, inertia);
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("inertia"), doc("object:contact_response#2"));
  m.def(
      "reduced_mass",
      [](const ContactResponse& side, const ContactResponse& other, const Three<"normal">& normal) {
        return reduced_mass(side, other, normal);
      },
      nb::arg("side"), nb::arg("other"), nb::arg("normal"), doc("object:reduced_mass"));
  result<PairImpact>(m, "PairImpact", THUD_FIELD(PairImpact, impact), THUD_FIELD(PairImpact, velocity_after),
                     THUD_FIELD(PairImpact, other_velocity_after));
  m.def(
      "impact",
      [](const ContactResponse& side, const ContactResponse& other, const Three<"normal">& normal, double friction,
         double restitution,
         const Kind& kind) { return impact(side, other, normal, options_of(friction, restitution, kind)); },
      nb::arg("side"), nb::arg("other"), nb::arg("normal"), nb::arg("friction") = 0.0, nb::arg("restitution") = 0.0,
      nb::arg("kind") = "energetic", doc("object:impact"));
  result<ObjectMotion>(m, "ObjectMotion", THUD_FIELD(ObjectMotion, velocity),
                       THUD_FIELD(ObjectMotion, angular_velocity));
  m.def(
      "motion_after",
      [](const Object& object, const Three<"p_WC">& p_WC, const Three<"impulse_W">& impulse_W) {
        return motion_after(object, p_WC, impulse_W);
      },
      nb::arg("object"), nb::arg("p_WC"), nb::arg("impulse_W"), doc("object:motion_after"));
}

// After the overload for two sides: an array is whatever NumPy makes one of.
void bind_impacts(nb::module_& m) {
  m.def(
      "impact",
      [](const ThreeByThree<"W">& W, const Three<"velocity">& velocity, const Three<"normal">& normal, double friction,
         double restitution,
         const Kind& kind) { return impact(W, velocity, normal, options_of(friction, restitution, kind)); },
      nb::arg("W"), nb::arg("velocity"), nb::arg("normal"), nb::arg("friction") = 0.0, nb::arg("restitution") = 0.0,
      nb::arg("kind") = "energetic", doc("impact:impact"));
  m.def(
      "impact_path",
      [](const ThreeByThree<"W">& W, const Three<"velocity">& velocity, const Three<"normal">& normal, double friction,
         double restitution,
         const Kind& kind) { return impact_path(W, velocity, normal, options_of(friction, restitution, kind)); },
      nb::arg("W"), nb::arg("velocity"), nb::arg("normal"), nb::arg("friction") = 0.0, nb::arg("restitution") = 0.0,
      nb::arg("kind") = "energetic", doc("impact:impact_path"));
  m.def("warnings", nb::overload_cast<const Impact&>(&warnings), nb::arg("impact"), doc("impact:warnings"));
  m.def(
      "sticking_friction",
      [](const ThreeByThree<"W">& W, const Three<"normal">& normal) { return sticking_friction(W, normal); },
      nb::arg("W"), nb::arg("normal"), doc("impact:sticking_friction"));
}

void bind_predictions(nb::module_& m) {
  result<ModelImpact>(m, "ModelImpact", THUD_FIELD(ModelImpact, W), THUD_FIELD(ModelImpact, impact),
                      THUD_FIELD(ModelImpact, velocity_after), THUD_FIELD(ModelImpact, impulse_approximate),
                      THUD_FIELD(ModelImpact, object), THUD_FIELD(ModelImpact, joint_velocity_jump),
                      THUD_FIELD(ModelImpact, joint_velocity_jump_least_norm), THUD_FIELD(ModelImpact, joint_impulse));
  result<ImpactPrediction>(m, "ImpactPrediction", THUD_FIELD(ImpactPrediction, velocity),
                           THUD_FIELD(ImpactPrediction, v_normal), THUD_FIELD(ImpactPrediction, v_tangential),
                           THUD_FIELD(ImpactPrediction, with_friction), THUD_FIELD(ImpactPrediction, models))
      .def("__getitem__", &ImpactPrediction::operator[], nb::arg("model").noconvert(),
           nb::rv_policy::reference_internal);
  m.def(
      "predict_impact",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, double friction, double restitution, const Kind& kind,
         const std::optional<Object>& object, bool pseudo_inverse) {
        return predict_impact(dynamics, dq,
                              {.friction = friction,
                               .restitution = restitution,
                               .kind = kind_of(kind),
                               .object = object,
                               .pseudo_inverse = pseudo_inverse});
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("friction") = 0.0, nb::arg("restitution") = 0.0,
      nb::arg("kind") = "energetic", nb::arg("object") = nb::none(), nb::arg("pseudo_inverse") = false,
      doc("impact_prediction:predict_impact"));
  m.def("warnings", nb::overload_cast<const ImpactPrediction&>(&warnings), nb::arg("prediction"),
        doc("impact_prediction:warnings"));
}

}  // namespace

void bind_impact(nb::module_& m) {
  bind_results(m);
  bind_objects(m);
  bind_impacts(m);
  bind_predictions(m);
}

}  // namespace thud::python
