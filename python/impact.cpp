#include <thud/impact_batch.hpp>
#include <thud/impact_prediction.hpp>

#include "batch.hpp"
#include "long_work.hpp"

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
  enumeration(m, "ContactMode", {ContactMode::slip, ContactMode::stick}, nb::is_arithmetic());
  enumeration(m, "ImpactStatus",
              {ImpactStatus::not_run, ImpactStatus::ok, ImpactStatus::no_approach, ImpactStatus::wedged},
              nb::is_arithmetic());
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
  result<ModelImpact>(m, "ModelImpact", THUD_FIELD(ModelImpact, inertia), THUD_FIELD(ModelImpact, W),
                      THUD_FIELD(ModelImpact, impact), THUD_FIELD(ModelImpact, velocity_after),
                      THUD_FIELD(ModelImpact, impulse_approximate), THUD_FIELD(ModelImpact, object),
                      THUD_FIELD(ModelImpact, joint_velocity_jump),
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

/// Calls f(name, member) for each array of numbers that has a part for each model.
template <class F>
void for_model_arrays(F&& f) {
  f("impulse", &ImpactBatch::impulse);
  f("velocity_after", &ImpactBatch::velocity_after);
  f("compression", &ImpactBatch::compression);
  f("energy_lost", &ImpactBatch::energy_lost);
  f("phase_impulse", &ImpactBatch::phase_impulse);
  f("object_velocity", &ImpactBatch::object_velocity);
  f("object_angular_velocity", &ImpactBatch::object_angular_velocity);
  f("joint_velocity_jump", &ImpactBatch::joint_velocity_jump);
  f("joint_velocity_jump_least_norm", &ImpactBatch::joint_velocity_jump_least_norm);
  f("joint_impulse", &ImpactBatch::joint_impulse);
}

/// Calls f(name, member) for each array of enumerators.
template <class F>
void for_model_enumerators(F&& f) {
  f("inertia", &ImpactBatch::inertia);
  f("status", &ImpactBatch::status);
  f("phase_mode", &ImpactBatch::phase_mode);
}

/// A row of numbers for each hit, or one for all: what has one dimension less is one row.
MatrixX rows_of_hits(const std::optional<ArrayLike>& argument, const char* name, std::size_t dimensions) {
  if (!argument) return {};
  const auto numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("asarray")(argument->object);
  } catch (const nb::python_error&) {
    array = argument->object;  // refused below, by its name
  }
  if (nb::hasattr(array, "ndim") && nb::cast<std::size_t>(array.attr("ndim")) + 1 == dimensions)
    array = array[nb::none()];
  if (dimensions != 2 && nb::hasattr(array, "ndim") && nb::cast<std::size_t>(array.attr("ndim")) == dimensions) {
    const nb::object count = array.attr("shape")[nb::int_(0)];
    // a number each is a row of one, a matrix a row of its entries
    array = array.attr("reshape")(count, nb::cast<std::size_t>(count) == 0 ? nb::int_(1) : nb::int_(-1));
  }
  return static_cast<MatrixRef>(RowsArgument({array}, name));
}

void bind_impact_batch(nb::module_& m) {
  constexpr auto models = static_cast<Eigen::Index>(all_inertia_models.size());
  result<RefusedRow>(m, "RefusedRow", THUD_FIELD(RefusedRow, row), THUD_FIELD(RefusedRow, reason));
  nb::class_<ImpactBatch> batch(m, "ImpactBatch", doc("ImpactBatch"));
  const auto define = [&]<class View>(const char* name, View view) {
    batch.def_prop_ro(
        name, [view](nb::handle_t<ImpactBatch> self) { return view(self, *nb::inst_ptr<ImpactBatch>(self)); },
        find_doc(std::string("ImpactBatch.") + name));
  };
  define("refused", [](nb::handle self, const ImpactBatch& b) { return view(self, b.refused); });
  define("p_WC", [](nb::handle self, const ImpactBatch& b) { return postures<1>(self, b.p_WC, {3}, {1}); });
  define("velocity", [](nb::handle self, const ImpactBatch& b) { return postures<1>(self, b.velocity, {3}, {1}); });
  define("v_normal", [](nb::handle self, const ImpactBatch& b) { return view(self, b.v_normal); });
  define("v_tangential", [](nb::handle self, const ImpactBatch& b) { return view(self, b.v_tangential); });
  for_model_enumerators([&]<class E, int rows>(const char* name, ModelArray<E, rows> ImpactBatch::*member) {
    define(name, [member](nb::handle self, const ImpactBatch& b) {
      const auto& all = (b.*member).all();
      if constexpr (rows == 1)
        return ModelNumbers{nb::cast(numbered<1>(self, all, {models}, {1}))};
      else
        return ModelNumbers{nb::cast(numbered<2>(self, all, {models, rows}, {rows, 1}))};
    });
  });
  for_model_arrays([&]<int rows>(const char* name, ModelArray<double, rows> ImpactBatch::*member) {
    define(name, [member](nb::handle self, const ImpactBatch& b) {
      const auto& array = b.*member;
      const Eigen::Index each = rows == Eigen::Dynamic ? array.rows_per_model() : rows;
      if constexpr (rows == 1)
        return ModelNumbers{nb::cast(postures<1>(self, array.all(), {models}, {1}))};
      else
        return ModelNumbers{nb::cast(postures<2>(self, array.all(), {models, each}, {each, 1}))};
    });
  });
  batch.def("__repr__",
            [](const ImpactBatch& b) { return "<ImpactBatch, " + std::to_string(b.v_normal.size()) + " rows>"; });
  batch.def("__getstate__", [](const ImpactBatch& b) {
    nb::list state;
    state.append(nb::cast(b.refused));
    for (const auto member : {&ImpactBatch::p_WC, &ImpactBatch::velocity}) state.append(nb::cast(b.*member));
    for (const auto member : {&ImpactBatch::v_normal, &ImpactBatch::v_tangential}) state.append(nb::cast(b.*member));
    for_model_enumerators([&](const char*, auto member) { state.append(nb::cast(to_numbers((b.*member).all()))); });
    for_model_arrays([&](const char*, auto member) { state.append(nb::cast((b.*member).all())); });
    return nb::steal<nb::tuple>(PyList_AsTuple(state.ptr()));
  });
  batch.def("__setstate__", [](ImpactBatch& self, const nb::tuple& state) {
    auto* const b = new (&self) ImpactBatch;
    std::size_t i = 0;
    b->refused = nb::cast<std::vector<RefusedRow>>(state[i++]);
    for (const auto member : {&ImpactBatch::p_WC, &ImpactBatch::velocity}) b->*member = nb::cast<MatrixX>(state[i++]);
    for (const auto member : {&ImpactBatch::v_normal, &ImpactBatch::v_tangential})
      b->*member = nb::cast<VectorX>(state[i++]);
    for_model_enumerators([&]<class Array>(const char*, Array ImpactBatch::*member) {
      b->*member = from_numbers<Array>(nb::cast<MatrixX>(state[i++]));
    });
    for_model_arrays([&]<class Array>(const char*, Array ImpactBatch::*member) {
      b->*member = Array(nb::cast<MatrixX>(state[i++]));
    });
  });

  static const std::string text =
      std::string(doc("impact_batch:predict_impact_batch")) +
      "\n\nHere a hit is a row of q, dq, offset, normal_W and what is known of the objects, "
      "and the first index of every array of the result. A value without that index is one "
      "for all rows.";
  m.def(
      "predict_impact_batch",
      [](const Robot& robot, const ContactPoint& point, const ArrayLike& q, const ArrayLike& dq, double friction,
         double restitution, const Kind& kind, const std::optional<std::vector<std::string>>& frame,
         const std::optional<ArrayLike>& offset, const std::optional<ArrayLike>& normal_W,
         const std::optional<ArrayLike>& object_mass, const std::optional<ArrayLike>& object_inertia_W,
         const std::optional<ArrayLike>& object_com_W, const std::optional<ArrayLike>& object_velocity,
         const std::optional<ArrayLike>& object_angular_velocity, bool pseudo_inverse, bool jumps, int jobs,
         const Progress& progress) {
        const MatrixX positions = rows_of_hits(q, "q", 2), rates = rows_of_hits(dq, "dq", 2);
        LongWork work(progress);
        const ImpactBatchOptions options{
            .friction = friction,
            .restitution = restitution,
            .kind = kind_of(kind),
            .pseudo_inverse = pseudo_inverse,
            .jumps = jumps,
            .frame = frame.value_or(std::vector<std::string>{}),
            .offset = rows_of_hits(offset, "offset", 2),
            .normal_W = rows_of_hits(normal_W, "normal_W", 2),
            .object_mass = rows_of_hits(object_mass, "object_mass", 1).reshaped(),
            .object_inertia_W = rows_of_hits(object_inertia_W, "object_inertia_W", 3),
            .object_com_W = rows_of_hits(object_com_W, "object_com_W", 2),
            .object_velocity = rows_of_hits(object_velocity, "object_velocity", 2),
            .object_angular_velocity = rows_of_hits(object_angular_velocity, "object_angular_velocity", 2),
            .run = {.jobs = jobs, .progress = work.progress(), .stop = &work.stop()}};
        return work.run([&] { return predict_impact_batch(robot, point, positions, rates, options); });
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("dq"), nb::arg("friction") = 0.0,
      nb::arg("restitution") = 0.0, nb::arg("kind") = "energetic", nb::arg("frame") = nb::none(),
      nb::arg("offset") = nb::none(), nb::arg("normal_W") = nb::none(), nb::arg("object_mass") = nb::none(),
      nb::arg("object_inertia_W") = nb::none(), nb::arg("object_com_W") = nb::none(),
      nb::arg("object_velocity") = nb::none(), nb::arg("object_angular_velocity") = nb::none(),
      nb::arg("pseudo_inverse") = false, nb::arg("jumps") = false, nb::arg("jobs") = 0,
      nb::arg("progress") = nb::none(), text.c_str());
}

}  // namespace

void bind_impact(nb::module_& m) {
  bind_results(m);
  bind_objects(m);
  bind_impacts(m);
  bind_predictions(m);
  bind_impact_batch(m);
}

}  // namespace thud::python
