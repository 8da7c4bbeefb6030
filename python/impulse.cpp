#include <thud/batch.hpp>
#include <thud/gpu.hpp>
#include <thud/impulse.hpp>

#include "batch.hpp"
#include "long_work.hpp"

namespace thud::python {

template <>
Prediction blank() {
  return Prediction(0);
}

namespace {

VectorRef rates(const Vector<"dq">& dq, const ContactDynamics& dynamics) {
  require_joints(dq, dynamics.J.cols(), "dq");
  return dq;
}

void bind_velocities_and_jumps(nb::module_& m) {
  m.def(
      "contact_velocity",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq) {
        return contact_velocity(dynamics, rates(dq, dynamics));
      },
      nb::arg("dynamics"), nb::arg("dq"), doc("impulse:contact_velocity"));
  m.def(
      "approximate_contact_velocity",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq) {
        return approximate_contact_velocity(dynamics, rates(dq, dynamics));
      },
      nb::arg("dynamics"), nb::arg("dq"), doc("impulse:approximate_contact_velocity"));
  m.def(
      "approximate_to_exact",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq) {
        return approximate_to_exact(dynamics, rates(dq, dynamics));
      },
      nb::arg("dynamics"), nb::arg("dq"), doc("impulse:approximate_to_exact"));
  m.def("small_restitution", &small_restitution, nb::arg("ratio"), nb::arg("v_before"),
        doc("impulse:small_restitution"));

  result<NormalImpulse>(m, "NormalImpulse", THUD_FIELD(NormalImpulse, compression), THUD_FIELD(NormalImpulse, total));
  m.def(
      "normal_impulse",
      [](const InverseInertia& inertia, double v_before, double restitution) {
        return normal_impulse(inertia, v_before, {.restitution = restitution});
      },
      nb::arg("inertia"), nb::arg("v_before"), nb::arg("restitution") = 0.0, doc("impulse:normal_impulse"));
  m.def("normal_impulse", nb::overload_cast<double, double, double>(&normal_impulse), nb::arg("mass"),
        nb::arg("v_before"), nb::arg("restitution"), doc("impulse:normal_impulse#2"));
  m.def(
      "joint_velocity_jump",
      [](const ContactDynamics& dynamics, const Three<"impulse_W">& impulse_W) {
        return joint_velocity_jump(dynamics, impulse_W);
      },
      nb::arg("dynamics"), nb::arg("impulse_W"), doc("impulse:joint_velocity_jump"));
  m.def(
      "joint_velocity_jump_least_norm",
      [](const ContactDynamics& dynamics, const InverseInertia& inertia, const Three<"impulse_W">& impulse_W) {
        return joint_velocity_jump_least_norm(dynamics, inertia, impulse_W);
      },
      nb::arg("dynamics"), nb::arg("inertia"), nb::arg("impulse_W"), doc("impulse:joint_velocity_jump_least_norm"));
  m.def(
      "joint_impulse",
      [](const ContactDynamics& dynamics, const Three<"impulse_W">& impulse_W) {
        return joint_impulse(dynamics, impulse_W);
      },
      nb::arg("dynamics"), nb::arg("impulse_W"), doc("impulse:joint_impulse"));
  m.def(
      "joint_torque_jump",
      [](const ContactDynamics& dynamics, const Three<"impulse_W">& impulse_W, double duration) {
        return joint_torque_jump(dynamics, impulse_W, duration);
      },
      nb::arg("dynamics"), nb::arg("impulse_W"), nb::arg("duration"), doc("impulse:joint_torque_jump"));
  result<Approach>(m, "Approach", THUD_FIELD(Approach, dq), THUD_FIELD(Approach, turns),
                   THUD_FIELD(Approach, sideways));
  m.def("approach", &approach, nb::arg("dynamics"), nb::arg("speed"), doc("impulse:approach"));
  m.def("find_approach", &find_approach, nb::arg("dynamics"), nb::arg("speed"), doc("impulse:find_approach"));
  m.def("nearest_approach", &nearest_approach, nb::arg("dynamics"), nb::arg("speed"), doc("impulse:nearest_approach"));
}

void bind_prediction(nb::module_& m) {
  result<ModelPrediction>(m, "ModelPrediction", THUD_FIELD(ModelPrediction, inertia),
                          THUD_FIELD(ModelPrediction, impulse), THUD_FIELD(ModelPrediction, impulse_approximate),
                          THUD_FIELD(ModelPrediction, impulse_W), THUD_FIELD(ModelPrediction, joint_velocity_jump),
                          THUD_FIELD(ModelPrediction, joint_velocity_jump_least_norm),
                          THUD_FIELD(ModelPrediction, joint_impulse));
  result<Prediction>(m, "Prediction", THUD_FIELD(Prediction, v_exact), THUD_FIELD(Prediction, v_approximate),
                     THUD_FIELD(Prediction, ratio), THUD_FIELD(Prediction, v_tangential),
                     THUD_FIELD(Prediction, small_restitution), THUD_FIELD(Prediction, models))
      .def(
          "__init__",
          [](Prediction* self, int joints) {
            if (joints < 1) throw InputError("joints", std::to_string(joints), "must be at least 1");
            new (self) Prediction(joints);
          },
          nb::arg("joints"), "A prediction for a robot with this number of joints; NaN until predict fills it.")
      .def("__getitem__", &Prediction::operator[], nb::arg("model").noconvert(), nb::rv_policy::reference_internal);
  m.def(
      "predict",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, double restitution, bool pseudo_inverse) {
        return predict(dynamics, dq, {.restitution = restitution, .pseudo_inverse = pseudo_inverse});
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("restitution") = 0.0, nb::arg("pseudo_inverse") = false,
      doc("impulse:predict"));
  m.def(
      "predict",
      [](const ContactDynamics& dynamics, const Vector<"dq">& dq, Prediction& prediction, double restitution,
         bool pseudo_inverse) {
        const auto joints = prediction.models.begin()->joint_impulse.size();
        if (joints != dynamics.J.cols())
          throw InputError("prediction", std::to_string(joints) + " joints",
                           "the dynamics have " + std::to_string(dynamics.J.cols()));
        if (!(restitution >= 0 && restitution <= 1))
          throw InputError("restitution", restitution, "must be from 0 to 1");
        predict(dynamics, rates(dq, dynamics), {.restitution = restitution, .pseudo_inverse = pseudo_inverse},
                prediction);
      },
      nb::arg("dynamics"), nb::arg("dq"), nb::arg("prediction"), nb::arg("restitution") = 0.0,
      nb::arg("pseudo_inverse") = false, doc("impulse:predict#2"));
  m.def("warnings", nb::overload_cast<const Prediction&>(&warnings), nb::arg("prediction"), doc("impulse:warnings"));
}

constexpr MatrixX Batch::*batch_matrices[] = {&Batch::p_WC, &Batch::com_W, &Batch::Ic_W,
                                              &Batch::J,    &Batch::A_G,   &Batch::M};
constexpr VectorX Batch::*batch_vectors[] = {&Batch::v_exact, &Batch::v_approximate, &Batch::ratio};

/// Calls f(member) for each array of numbers that has a part for each model.
template <class F>
void for_model_arrays(F&& f) {
  f(&Batch::effective_mass);
  f(&Batch::W);
  f(&Batch::impulse_compression);
  f(&Batch::impulse_total);
  f(&Batch::joint_velocity_jump);
  f(&Batch::joint_velocity_jump_least_norm);
  f(&Batch::joint_impulse);
}

void bind_model_array(nb::module_& m) {
  nb::class_<ModelNumbers>(m, "ModelArray", doc("ModelArray"))
      .def(
          "__getitem__",
          [](const ModelNumbers& self, InertiaModel model) -> nb::object {
            return self.array[nb::make_tuple(nb::slice(nb::none(), nb::none(), nb::none()), static_cast<int>(model))];
          },
          nb::sig("def __getitem__(self, model: InertiaModel) -> numpy.typing.NDArray[typing.Any]"),
          nb::arg("model").noconvert(), "One model at all postures, the posture being the first index.")
      .def_prop_ro(
          "all", [](const ModelNumbers& self) { return self.array; },
          nb::for_getter(nb::sig("def all(self) -> numpy.typing.NDArray[typing.Any]")),
          "All of it: posture, then model in the order of all_inertia_models.")
      .def("__repr__", [](const ModelNumbers& self) {
        return "<ModelArray of shape " + nb::cast<std::string>(nb::str(nb::object(self.array.attr("shape")))) + ">";
      });
}

void bind_batch(nb::module_& m) {
  nb::enum_<BatchOutputs>(m, "BatchOutputs", doc("BatchOutputs"))
      .value("masses", BatchOutputs::masses)
      .value("positions", BatchOutputs::positions, find_doc("BatchOutputs.positions"))
      .value("everything", BatchOutputs::everything);
  bind_model_array(m);

  nb::class_<Batch> batch(m, "Batch", doc("Batch"));
  const auto define = [&]<class View>(const char* name, View view) {
    batch.def_prop_ro(
        name, [view](nb::handle_t<Batch> self) { return view(self, *nb::inst_ptr<Batch>(self)); },
        find_doc(std::string("Batch.") + name));
  };
  const auto vector_per_posture = [&](const char* name, MatrixX Batch::*member) {  // (N, size)
    define(name, [member](nb::handle self, const Batch& b) {
      return postures<1>(self, b.*member, {(b.*member).rows()}, {1});
    });
  };
  const auto matrix_per_posture = [&](const char* name, MatrixX Batch::*member, Eigen::Index rows) {  // (N, rows, cols)
    define(name, [member, rows](nb::handle self, const Batch& b) {
      return postures<2>(self, b.*member, {rows, (b.*member).rows() / rows}, {1, rows});
    });
  };
  constexpr auto models = static_cast<Eigen::Index>(all_inertia_models.size());
  const auto number_per_model = [&](const char* name, ModelArray<double, 1> Batch::*member) {  // (N, 4)
    define(name, [member](nb::handle self, const Batch& b) {
      return ModelNumbers{nb::cast(postures<1>(self, (b.*member).all(), {models}, {1}))};
    });
  };
  const auto joints_per_model = [&](const char* name, ModelArray<double, Eigen::Dynamic> Batch::*member) {
    define(name, [member](nb::handle self, const Batch& b) {  // (N, 4, joints)
      const auto joints = (b.*member).rows_per_model();
      return ModelNumbers{nb::cast(postures<2>(self, (b.*member).all(), {models, joints}, {joints, 1}))};
    });
  };
  number_per_model("effective_mass", &Batch::effective_mass);
  define("status", [](nb::handle self, const Batch& b) {
    return ModelNumbers{nb::cast(numbered<1>(self, b.status.all(), {models}, {1}))};
  });
  vector_per_posture("p_WC", &Batch::p_WC);
  vector_per_posture("com_W", &Batch::com_W);
  matrix_per_posture("Ic_W", &Batch::Ic_W, 3);
  matrix_per_posture("J", &Batch::J, 6);
  matrix_per_posture("A_G", &Batch::A_G, 6);
  define("M", [](nb::handle self, const Batch& b) {
    const auto joints = b.J.rows() / 6;
    return postures<2>(self, b.M, {joints, joints}, {1, joints});
  });
  define("W", [](nb::handle self, const Batch& b) {
    return ModelNumbers{nb::cast(postures<3>(self, b.W.all(), {b.W.all().rows() / 9, 3, 3}, {9, 1, 3}))};
  });
  define("v_exact", [](nb::handle self, const Batch& b) { return view(self, b.v_exact); });
  define("v_approximate", [](nb::handle self, const Batch& b) { return view(self, b.v_approximate); });
  define("ratio", [](nb::handle self, const Batch& b) { return view(self, b.ratio); });
  number_per_model("impulse_compression", &Batch::impulse_compression);
  number_per_model("impulse_total", &Batch::impulse_total);
  joints_per_model("joint_velocity_jump", &Batch::joint_velocity_jump);
  joints_per_model("joint_velocity_jump_least_norm", &Batch::joint_velocity_jump_least_norm);
  joints_per_model("joint_impulse", &Batch::joint_impulse);

  batch.def("__repr__", [](const Batch& b) { return "<Batch, " + std::to_string(b.status.postures()) + " postures>"; });
  batch.def("__getstate__", [](const Batch& b) {
    nb::list state;
    state.append(nb::cast(to_numbers(b.status.all())));
    for_model_arrays([&](auto member) { state.append(nb::cast((b.*member).all())); });
    for (const auto member : batch_matrices) state.append(nb::cast(b.*member));
    for (const auto member : batch_vectors) state.append(nb::cast(b.*member));
    return nb::steal<nb::tuple>(PyList_AsTuple(state.ptr()));
  });
  batch.def("__setstate__", [](Batch& self, const nb::tuple& state) {
    auto* const b = new (&self) Batch;
    std::size_t i = 0;
    b->status = from_numbers<ModelArray<InertiaStatus, 1>>(nb::cast<MatrixX>(state[i++]));
    for_model_arrays([&]<class Array>(Array Batch::*member) { b->*member = Array(nb::cast<MatrixX>(state[i++])); });
    for (const auto member : batch_matrices) b->*member = nb::cast<MatrixX>(state[i++]);
    for (const auto member : batch_vectors) b->*member = nb::cast<VectorX>(state[i++]);
  });

  bind_device_batch(m);
  static const std::string text = std::string(doc("batch:predict_batch")) +
                                  "\n\nHere a posture is a row of q and dq, and the first index of every array of the "
                                  "result. Row-major arrays of float64 are used as they lie. backend=\"gpu\" computes "
                                  "them on a GPU, from arrays of the host here and from arrays on the GPU, which stay "
                                  "there, in the other form.";
  m.def(
      "predict_batch",
      [](const Robot& robot, const ContactPoint& point, const Rows<"q">& q, const std::optional<Rows<"dq">>& dq,
         BatchOutputs outputs, double restitution, bool pseudo_inverse, int jobs, const Progress& progress,
         const std::string& backend) {
        if (backend != "cpu" && backend != "gpu") throw InputError("backend", backend, "must be cpu or gpu");
        const MatrixRef positions = q;
        const MatrixX none(robot.size(), 0);
        const MatrixRef rates = dq ? static_cast<MatrixRef>(*dq) : MatrixRef(none);
        LongWork work(progress);
        const BatchOptions options{.outputs = outputs,
                                   .restitution = restitution,
                                   .pseudo_inverse = pseudo_inverse,
                                   .run = {.jobs = jobs, .progress = work.progress(), .stop = &work.stop()}};
        return work.run([&] {
          return backend == "gpu" ? predict_batch_gpu(robot, point, positions, rates, options)
                                  : predict_batch(robot, point, positions, rates, options);
        });
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("dq") = nb::none(),
      nb::arg("outputs") = BatchOutputs::masses, nb::arg("restitution") = 0.0, nb::arg("pseudo_inverse") = false,
      nb::arg("jobs") = 0, nb::arg("progress") = nb::none(), nb::arg("backend") = "cpu", text.c_str());
}

}  // namespace

void bind_impulse(nb::module_& m) {
  bind_velocities_and_jumps(m);
  bind_prediction(m);
  bind_batch(m);
}

}  // namespace thud::python
