// Where a rival may be ahead: somebody who needs M or J alone, and robots other than a short arm. thud's whole query
// against Pinocchio's whole query, M alone and J alone; and what a batch gains by more cores.
//
// bench_parts [ROUNDS] [--json FILE]

#include <thud/batch.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>

#include "rivals.hpp"
#include "thud_query.hpp"

namespace {

namespace pin = pinocchio;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr Eigen::Index postures = 64;
constexpr double agreement = 1e-9, agreement_of_inverses = 1e-6;  // relative to the largest entry
volatile double sink = 0;

// Joints that turn about z at random places. In a tree, one in four hangs up to four joints further up than the one
// before it, which keeps branches together, as Pinocchio wants them. The contact is on the joint with most before it.
pin::Model random_model(int joints, bool tree) {
  std::mt19937_64 random(1);
  std::srand(1);  // of the random places and inertias
  pin::Model model;
  for (int i = 0; i < joints; ++i) {
    auto parent = static_cast<pin::JointIndex>(i);
    if (tree && random() % 4 == 0)
      for (auto up = random() % 4 + 1; up > 0 && parent > 0; --up) parent = model.parents[parent];
    const auto id = model.addJoint(parent, pin::JointModelRZ(), pin::SE3::Random(),
                                   std::string("joint ").append(std::to_string(i)));
    model.appendBodyToJoint(id, pin::Inertia::Random());
  }
  const auto last = std::max_element(model.supports.begin(), model.supports.end(), [](const auto& a, const auto& b) {
                      return a.size() < b.size();
                    })->back();
  model.addFrame(pin::Frame("contact", last, 0, pin::SE3(Matrix3d::Identity(), Vector3d(0, 0, 0.1)), pin::OP_FRAME));
  return model;
}

thud::Robot robot_of(const pin::Model& model) {
  std::vector<thud::Joint> joints;
  std::vector<thud::BodyInertia> bodies;
  for (std::size_t i = 1; i < model.parents.size(); ++i) {
    const pin::SE3& at = model.jointPlacements[i];
    joints.push_back({.name = model.names[i],
                      .link = model.names[i],
                      .parent = static_cast<int>(model.parents[i]) - 1,
                      .R_PJ = at.rotation(),
                      .p_PJ = at.translation(),
                      .axis = Vector3d::UnitZ()});
    const pin::Inertia& body = model.inertias[i];
    bodies.push_back({body.mass(), body.lever(), body.inertia().matrix()});
  }
  const pin::Frame& frame = model.frames.back();
  const thud::Frame contact{frame.name, static_cast<int>(frame.parentJoint) - 1, frame.placement.rotation(),
                            frame.placement.translation()};
  return {"random", joints, bodies, {contact}, {}};
}

// Pinocchio at its best on a robot of any size: one crba leaves all behind, and its Cholesky knows the branches.
class Pinocchio {
 public:
  explicit Pinocchio(const pin::Model& model)
      : model_(model), data_(model), frame_(model.getFrameId("contact")), n_(model.nv), J(6, n_), response(n_, 6) {}

  void whole_query(const Eigen::VectorXd& q, const Vector3d& normal) {
    pin::crba(model_, data_, q, pin::Convention::WORLD);
    pin::updateFramePlacement(model_, data_, frame_);
    pin::getFrameJacobian(model_, data_, frame_, pin::LOCAL_WORLD_ALIGNED, J.setZero());
    pin::cholesky::decompose(model_, data_);
    for (Eigen::Index k = 0; k < 6; ++k) {
      column_ = J.row(k).transpose();
      pin::cholesky::solve(model_, data_, column_);
      response.col(k) = column_;
    }
    const Eigen::Matrix<double, 6, 6> mobility = J * response, inverse = mobility.ldlt().solve(identity_);
    const Matrix3d effective = inverse.topLeftCorner<3, 3>();
    const Matrix3d Ic = data_.oYcrb[0].inertia().matrix();
    const Vector3d r = data_.oMf[frame_].translation() - data_.com[0];
    const Matrix3d arm = pin::skew(r), turn = arm * Ic.inverse();
    const Eigen::Matrix<double, 6, 3> momentum = data_.Ag * response.leftCols<3>();
    W[0] = effective.inverse();
    W[1] = mobility.topLeftCorner<3, 3>();
    W[2] = Matrix3d::Identity() / data_.mass[0] - turn * arm;
    W[3] = W[2] + W[1] - momentum.topRows<3>() / data_.mass[0] + turn * momentum.bottomRows<3>();
    masses[0] = normal.dot(effective * normal);
    for (std::size_t o = 1; o < 4; ++o) masses[o] = 1 / normal.dot(W[o] * normal);
  }

  double M_alone(const Eigen::VectorXd& q) { return pin::crba(model_, data_, q)(0, 0); }

  double J_alone(const Eigen::VectorXd& q) {
    pin::computeFrameJacobian(model_, data_, q, frame_, pin::LOCAL_WORLD_ALIGNED, J.setZero());
    return J(0, 0);
  }

  MatrixXd M() const { return data_.M.selfadjointView<Eigen::Upper>(); }
  const auto& A_G() const { return data_.Ag; }

 private:
  const pin::Model& model_;
  pin::Data data_;
  pin::FrameIndex frame_;
  Eigen::Index n_;
  Eigen::VectorXd column_;
  Eigen::Matrix<double, 6, 6> identity_ = Eigen::Matrix<double, 6, 6>::Identity();

 public:
  Eigen::Matrix<double, 6, Eigen::Dynamic> J;
  Eigen::Matrix<double, Eigen::Dynamic, 6> response;
  std::array<Matrix3d, 4> W;
  std::array<double, 4> masses{};
};

void require_agreement(const thud::ContactDynamics& ours, const thud::PerModel<thud::InverseInertia>& inertias,
                       const Pinocchio& theirs) {
  const auto error = [](const MatrixXd& a, const MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() / b.cwiseAbs().maxCoeff();
  };
  const double rigid = std::max({error(ours.M, theirs.M()), error(ours.J, theirs.J), error(ours.A_G, theirs.A_G())});
  double inverse = 0;
  for (std::size_t o = 0; o < 4; ++o) {
    inverse = std::max(inverse, error(inertias[thud::all_inertia_models[o]].W, theirs.W[o]));
    inverse =
        std::max(inverse, std::abs(inertias[thud::all_inertia_models[o]].effective_mass() / theirs.masses[o] - 1));
  }
  if (rigid < agreement && inverse < agreement_of_inverses) return;
  std::fprintf(stderr, "Pinocchio does not agree with thud: %g, inverses %g\n", rigid, inverse);
  std::exit(1);
}

nlohmann::ordered_json race(const char* title, int joints, bool tree, int rounds) {
  const pin::Model model = random_model(joints, tree);
  const thud::ContactPoint point{.frame = "contact", .normal_W = {-1, 0, 0}};
  thud::DynamicsWorkspace workspace(robot_of(model), point);
  Pinocchio pinocchio(model);
  thud::PerModel<thud::InverseInertia> inertias;
  std::vector<Eigen::VectorXd> q(postures);
  for (Eigen::VectorXd& at : q) {
    at = M_PI * Eigen::VectorXd::Random(joints);
    pinocchio.whole_query(at, point.normal_W);
    require_agreement(ask(workspace, at, inertias), inertias, pinocchio);
  }
  const auto ring = [&](auto query) {
    return [&q, query] {
      double sum = 0;
      for (const Eigen::VectorXd& at : q) sum += query(at);
      sink = sink + sum;
    };
  };
  std::vector<Rival> rivals;
  const auto add = [&](const char* name, auto query) { rivals.push_back({name, ring(query), joints > 20 ? 4 : 16}); };
  add("thud, whole query", [&](const auto& at) {
    return ask(workspace, at, inertias).mass + inertias[thud::InertiaModel::algebraic].effective_mass();
  });
  add("Pinocchio, whole query", [&](const auto& at) {
    pinocchio.whole_query(at, point.normal_W);
    return pinocchio.masses[0];
  });
  add("Pinocchio, M alone", [&](const auto& at) { return pinocchio.M_alone(at); });
  add("Pinocchio, J alone", [&](const auto& at) { return pinocchio.J_alone(at); });
  compete(rivals, rounds);

  nlohmann::ordered_json out = {{"robot", title}, {"joints", joints}};
  std::printf("%s\n", title);
  const auto ns = [](double us) { return us * 1e3 / static_cast<double>(postures); };
  const double ours = ns(rivals[0].median());
  for (Rival& rival : rivals) {
    const double median = ns(rival.median()), least = ns(rival.least());
    std::printf("  %-28s%12.1f ns (min %.1f)%10.2f of thud\n", rival.name.c_str(), median, least, median / ours);
    out["rivals"][rival.name] = {{"median_ns", median}, {"min_ns", least}, {"ratio", median / ours}};
  }
  return out;
}

// The same batch by one thread and by one per core.
nlohmann::ordered_json scaling(int rounds) {
  constexpr Eigen::Index many = 65536;
  const thud::Robot panda = thud::load_robot("panda");
  const thud::ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  const MatrixXd q = MatrixXd::Random(7, many), none(7, 0);
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  nlohmann::ordered_json out = {{"cores", cores}, {"postures", many}};
  for (const auto& [name, outputs] :
       {std::pair{"masses", thud::BatchOutputs::masses}, std::pair{"everything", thud::BatchOutputs::everything}}) {
    thud::Batch batch;  // its memory is there after the first round
    std::vector<Rival> rivals;
    for (const int jobs : {1, cores})
      rivals.push_back({std::to_string(jobs),
                        [&, outputs = outputs, jobs] {
                          thud::predict_batch(panda, point, q, none, {.outputs = outputs, .run = {.jobs = jobs}},
                                              batch);
                          sink = sink + batch.effective_mass[thud::InertiaModel::algebraic][0];
                        },
                        1});
    compete(rivals, rounds);
    const double scale = 1e3 / static_cast<double>(many), one = rivals[0].least() * scale,
                 all = rivals[1].least() * scale, share = one / all / cores;
    std::printf("batch of %-12s%10.1f ns a posture on one core, %.1f on %d: %.2f of %d times\n", name, one, all, cores,
                share, cores);
    out[name] = {{"one_core_ns", one}, {"all_cores_ns", all}, {"scaling", share}};
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 31);
  nlohmann::ordered_json out = {{"rounds", rounds}};
  out["robots"].push_back(race("chain of 7 joints", 7, false, rounds));
  out["robots"].push_back(race("tree of 64 joints", 64, true, rounds));
  out["robots"].push_back(race("chain of 64 joints", 64, false, rounds));
  out["scaling"] = scaling(rounds);
  if (!file.empty()) thud::write_file(file, out.dump(1) + "\n");
}
