#include <thud/batch.hpp>
#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "kernel/tree.hpp"
#include "kernel/tree_walk.hpp"
#include "support.hpp"

namespace thud {

namespace {

// One instruction set after another, and the best one again at the end.
template <class Function>
void with_every_instruction_set(Function&& function) {
  for (const char* const* name = kernel::instruction_set_names(); *name; ++name) {
    SCOPED_TRACE(*name);
    kernel::choose_instruction_set(*name);
    function();
  }
  kernel::choose_instruction_set(nullptr);
}

// Instruction sets round differently (some have a product and a sum in one), and a batch eliminates in another order
// than a single query: some hundred roundings, relative to the largest entry. The algebraic model inverts a matrix
// whose condition is up to 5e8.
constexpr double rounding = 1e-12, rounding_of_inverse = 1e-8;

// Postures and rates of one robot, and where it is hit.
struct Question {
  Robot robot;
  ContactPoint point;
  Eigen::MatrixXd q, dq;
};

Question question(const Robot& robot, Eigen::Index postures) {
  test::Random random(test::base_seed());
  Question result{robot, test::random_sample(random, robot).point, Eigen::MatrixXd(robot.size(), postures),
                  Eigen::MatrixXd(robot.size(), postures)};
  for (Eigen::Index i = 0; i < postures; ++i) {
    const State state = test::random_sample(random, robot).state;
    result.q.col(i) = state.q;
    result.dq.col(i) = state.dq;
  }
  if (postures > 0) result.q.col(0).setZero();  // where the Panda is singular
  return result;
}

// Whether masses alone of a robot, or everything of it at rest, are computed by a walk.
bool is_walked(const Question& of, bool everything) {
  return kernel::is_walked(kernel::instruction_set(), of.robot.size(), of.q.cols(), everything);
}

// Arms that go through the passes, and that are walked, of so many postures at least.
constexpr Eigen::Index walked_postures = 90;
Question panda(Eigen::Index postures) {
  Question of = question(load_robot("panda"), postures);
  of.point = test::paper_contact();
  return of;
}
Question tree(Eigen::Index postures) {
  return question(parse_urdf(test::random_urdf(3, 24), "tree"), postures);
}

// The Panda at its foot, a plane arm, trees and chains; more than a thread takes at once, and not a multiple of it.
std::vector<Question> questions() {
  std::vector<Question> all{question(load_robot("panda"), 700), question(load_robot("planar_2r"), 300)};
  all[0].point = test::paper_contact();
  for (const int joints : {5, 12, 22}) all.push_back(question(parse_urdf(test::random_urdf(3, joints), "tree"), 270));
  for (const int joints : {6, 7, 24})
    all.push_back(question(parse_urdf(test::random_urdf(4, joints, true), "chain"), joints < 24 ? 261 : 90));
  for (const int joints : {8, 16, 24}) {  // with the algebraic model
    all.push_back(question(parse_urdf(test::random_long_branch_urdf(6, joints), "tree with a long branch"), 90));
    all.back().point.frame = test::farthest_frame(all.back().robot);
  }
  for (const Robot& robot : test::sample_robots())
    if (robot.size() <= 12) all.push_back(question(robot, 19));  // longer ones have conditions of 1e6 and more
  for (const int joints : {6, 7, 12, 25}) {                      // of several limbs: one of them counts, or all
    const Robot tree = parse_urdf(test::random_urdf(5, joints), "limbs");
    EXPECT_GT(std::ranges::count(tree.joints(), -1, &Joint::parent), 1);
    all.push_back(question(tree, joints < 12 ? 53 : joints < 25 ? 261 : 90));
    all.push_back(all.back());
    all.back().point.whole = true;
  }
  return all;
}

// The same bits, a NaN being any NaN.
bool same(const MatrixRef& a, const MatrixRef& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double x = a(i % a.rows(), i / a.rows()), y = b(i % a.rows(), i / a.rows());
    if (std::isnan(x) != std::isnan(y)) return false;
    if (!std::isnan(x) && std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y)) return false;
  }
  return true;
}

// The same up to a share of the largest entry of b, a NaN being any NaN.
bool near(const MatrixRef& a, const MatrixRef& b, double tolerance) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || (a.array().isNaN() != b.array().isNaN()).any()) return false;
  const Eigen::MatrixXd known = b.array().isNaN().select(0, b), other = a.array().isNaN().select(0, a);
  return (other - known).cwiseAbs().maxCoeff() <= tolerance * known.cwiseAbs().maxCoeff();
}

bool near(double a, double b, double tolerance) {
  return near(VectorX::Constant(1, a), VectorX::Constant(1, b), tolerance);
}

bool same(const ModelArray<InertiaStatus, 1>& a, const ModelArray<InertiaStatus, 1>& b) {
  return std::ranges::equal(a.all().reshaped(), b.all().reshaped());
}

template <int rows>
bool same(const ModelArray<double, rows>& a, const ModelArray<double, rows>& b) {
  return same(a.all(), b.all());
}

bool same(const Batch& a, const Batch& b) {
  return same(a.status, b.status) && same(a.effective_mass, b.effective_mass) && same(a.p_WC, b.p_WC) &&
         same(a.com_W, b.com_W) && same(a.Ic_W, b.Ic_W) && same(a.J, b.J) && same(a.A_G, b.A_G) && same(a.M, b.M) &&
         same(a.W, b.W) && same(a.v_exact, b.v_exact) && same(a.v_approximate, b.v_approximate) &&
         same(a.ratio, b.ratio) && same(a.impulse_compression, b.impulse_compression) &&
         same(a.impulse_total, b.impulse_total) && same(a.joint_velocity_jump, b.joint_velocity_jump) &&
         same(a.joint_velocity_jump_least_norm, b.joint_velocity_jump_least_norm) &&
         same(a.joint_impulse, b.joint_impulse);
}

Batch ask(const Question& of, const BatchOptions& options = {}) {
  return predict_batch(of.robot, of.point, of.q, of.dq, options);
}

// Of a symmetric matrix that is inverted: above 1e12 it is not.
double condition(const Matrix3& A) {
  if (!A.allFinite()) return 1;
  const Vector3 values = Eigen::SelfAdjointEigenSolver<Matrix3>(A).eigenvalues();
  return std::min(1e12, std::abs(values[2] / values[0]));
}

// How many times `easy` the condition of a positive matrix is, of that with ones on its diagonal; at least 1.
double hardness(const MatrixX& A, double easy) {
  const VectorX scale = A.diagonal().cwiseSqrt().cwiseInverse();
  const VectorX values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scale.asDiagonal() * A * scale.asDiagonal()).eigenvalues();
  return std::max(1.0, values.maxCoeff() / std::max(values.minCoeff(), 1e-12) / easy);
}

// By how much X, the pseudo-inverse of A, and Y, that of B, differ. If both have the same rank,
//
//   |Y - X| <= (1 + sqrt 5)/2 |X| |Y| |B - A|     [Wedin, Perturbation theory for pseudo-inverses, 1973, theorem 4.1]
//
// and |Y| <= |X| / (1 - |X| |B - A|). To B - A belong the eigenvalues of both that are taken for zero, and what each
// search for eigenvalues rounds: 36 roundings of 6 x 6 entries are ample.
double change_of_pseudo_inverse(const MatrixX& A, const MatrixX& B) {
  constexpr double rounding_of_search = 36 * std::numeric_limits<double>::epsilon();
  const VectorX values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
  const double largest = values.maxCoeff();
  double least = largest, zero = 0;
  for (const double value : values)
    if (value > kernel::smallest_mobility * largest)
      least = std::min(least, value);
    else
      zero = std::max(zero, std::abs(value));
  const double difference = (B - A).norm() + 2 * (zero + rounding_of_search * largest);
  return (1 + std::sqrt(5)) / 2 * difference / (least * std::max(0.0, least - difference));
}

// A posture of a batch against the single query: what it has of everything.
void compare(const Question& of, const Batch& batch, const PredictOptions& options, Eigen::Index i,
             const ContactDynamics& d) {
  const Eigen::Index n = of.robot.size();
  const Prediction p = predict(d, of.dq.col(i), options);
  const bool everything = batch.M.size() > 0, rates = batch.v_exact.size() > 0;
  const double hard = d.M_is_positive ? hardness(d.M, 1e4) : 1;
  const double hard_inverse = d.M_is_positive && n >= 6 ? hardness(d.J * d.M_inv_JT, 1e8) : 1;
  if (everything) {
    EXPECT_TRUE(near(batch.p_WC.col(i), d.p_WC, rounding));
    EXPECT_TRUE(near(batch.com_W.col(i), d.com_W, rounding));
    EXPECT_TRUE(near(batch.Ic_W.col(i).reshaped(3, 3), d.Ic_W, rounding));
    EXPECT_TRUE(near(batch.J.col(i).reshaped(6, n), d.J, rounding));
    EXPECT_TRUE(near(batch.A_G.col(i).reshaped(6, n), d.A_G, rounding));
    EXPECT_TRUE(near(batch.M.col(i).reshaped(n, n), d.M, rounding));
  }
  // velocities are sums over joints and directions, which may cancel
  double exact = 0, approximate = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    const Vector3 linear = d.A_G.col(j).head<3>() / d.mass, turn = d.Ic_W.ldlt().solve(Vector3(d.A_G.col(j).tail<3>()));
    const double rate = std::abs(of.dq(j, i)), arm = (d.p_WC - d.com_W).norm();
    exact += rate * d.J.col(j).head<3>().norm() / std::abs(p.v_exact);
    approximate += rate * (linear.norm() + turn.norm() * arm) / std::abs(p.v_approximate);
  }
  if (rates) {
    EXPECT_TRUE(near(batch.v_exact[i], p.v_exact, rounding * exact));
    EXPECT_TRUE(near(batch.v_approximate[i], p.v_approximate, rounding * approximate));
    EXPECT_TRUE(near(batch.ratio[i], p.ratio, rounding * (exact + approximate)));
  }
  for (const InertiaModel model : all_inertia_models) {
    SCOPED_TRACE(to_string(model));
    const ModelPrediction& single = p[model];
    double tolerance_of_W = model == InertiaModel::composite_rigid_body ? rounding : rounding * hard;
    if (model == InertiaModel::algebraic) tolerance_of_W = rounding_of_inverse * hard_inverse;
    // 1 / (n.W n) loses what n.W n lost against W
    const double mass = single.inertia.effective_mass();
    const double lost = single.inertia.exists() ? single.inertia.W.trace() * mass : 1;
    double tolerance = std::max(tolerance_of_W, model == InertiaModel::algebraic ? rounding_of_inverse : rounding) *
                       std::max(1.0, lost);
    // n.X n moves by as much as X, its block; W, the inverse of this, by |W|^2 times that, and its largest entry is at
    // least |W|/3
    if (single.inertia.status == InertiaStatus::pseudo_inverse) {
      const ContactDynamics own = contact_dynamics(of.robot, of.point, of.q.col(i));  // by the batch's instruction set
      const Eigen::MatrixXd A = d.J * d.M_inv_JT, B = own.J * own.M_inv_JT;
      EXPECT_TRUE(near(B, A, rounding * hard));
      const double moved = change_of_pseudo_inverse(A, B);
      tolerance = moved / mass;
      if (single.inertia.W.allFinite()) tolerance_of_W = 3 * single.inertia.W.norm() * moved;
    }
    EXPECT_EQ(batch.status[model][i], single.inertia.status);
    EXPECT_TRUE(near(batch.effective_mass[model][i], single.inertia.effective_mass(), tolerance));
    if (everything) {
      EXPECT_TRUE(near(batch.W[model].col(i).reshaped(3, 3), single.inertia.W, tolerance_of_W));
    }
    if (!rates) continue;
    const double of_impulse = tolerance + rounding * exact;
    EXPECT_TRUE(near(batch.impulse_compression[model][i], single.impulse.compression, of_impulse));
    EXPECT_TRUE(near(batch.impulse_total[model][i], single.impulse.total, of_impulse));
    if (!everything) continue;
    EXPECT_TRUE(near(batch.joint_velocity_jump[model].col(i), single.joint_velocity_jump, of_impulse * hard));
    EXPECT_TRUE(near(batch.joint_velocity_jump_least_norm[model].col(i), single.joint_velocity_jump_least_norm,
                     of_impulse * condition(d.J.topRows(3) * d.J.topRows(3).transpose())));
    EXPECT_TRUE(near(batch.joint_impulse[model].col(i), single.joint_impulse, of_impulse));
  }
}

// What the questions are there for.
TEST(Batch, AsksForTheAlgebraicModelOfBranchesBothWays) {
  with_every_instruction_set([] {
    for (const bool everything : {false, true}) {
      int passed = 0, walked = 0;
      for (const Question& of : questions()) {
        const kernel::Tree tree(of.robot, of.point);
        if (!tree.arm.serial && tree.arm.contact_chain >= 6) ++(is_walked(of, everything) ? walked : passed);
      }
      EXPECT_GT(passed, 0);
      EXPECT_GT(walked, 0);
    }
  });
}

TEST(Batch, EqualsSingleQueries) {
  const PredictOptions plain{.restitution = 0.3}, pseudo{.restitution = 0.3, .pseudo_inverse = true};
  for (const Question& of : questions()) {
    SCOPED_TRACE(of.robot.name() + ", THUD_SEED " + std::to_string(test::base_seed()));
    kernel::choose_instruction_set(*kernel::instruction_set_names());
    std::vector<ContactDynamics> single;
    for (Eigen::Index i = 0; i < of.q.cols(); ++i) single.push_back(contact_dynamics(of.robot, of.point, of.q.col(i)));
    with_every_instruction_set([&] {
      for (const PredictOptions& options : {plain, pseudo})
        for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything})
          for (const bool rates : {false, true}) {
            SCOPED_TRACE(std::string(to_string(outputs)) + (rates ? " with rates" : ""));
            const Batch batch =
                predict_batch(of.robot, of.point, of.q, MatrixX(of.dq.leftCols(rates ? of.dq.cols() : 0)),
                              {.outputs = outputs,
                               .restitution = options.restitution,
                               .pseudo_inverse = options.pseudo_inverse,
                               .run = {.jobs = 2}});
            for (Eigen::Index i = 0; i < of.q.cols() && !testing::Test::HasFailure(); ++i) {
              SCOPED_TRACE(i);
              compare(of, batch, options, i, single[static_cast<std::size_t>(i)]);
            }
          }
    });
  }
}

// Masses alone against masses with their matrices, for which the last two models go another way.
void compare_masses(const Batch& masses, const Batch& all) {
  EXPECT_TRUE(same(masses.status, all.status));
  for (const InertiaModel model : all_inertia_models)
    for (Eigen::Index i = 0; i < all.effective_mass.postures(); ++i) {
      SCOPED_TRACE(std::string(to_string(model)) + " " + std::to_string(i));
      const bool same_way = model == InertiaModel::algebraic || model == InertiaModel::generalized_momentum;
      const double lost = all.W[model].col(i).reshaped(3, 3).trace() * all.effective_mass[model][i];
      const double tolerance = same_way ? 0 : rounding * std::fmax(1, lost);
      EXPECT_TRUE(near(masses.effective_mass[model][i], all.effective_mass[model][i], tolerance));
      if (masses.impulse_total.postures() == 0) continue;
      EXPECT_TRUE(near(masses.impulse_compression[model][i], all.impulse_compression[model][i], tolerance));
      EXPECT_TRUE(near(masses.impulse_total[model][i], all.impulse_total[model][i], tolerance));
    }
}

TEST(Batch, LessIsAPartOfEverything) {
  with_every_instruction_set([&] {
    for (const Question& of : questions()) {
      SCOPED_TRACE(of.robot.name());
      const Batch all = ask(of, {.outputs = BatchOutputs::everything, .restitution = 0.5});
      const Batch less = ask(of, {.restitution = 0.5});
      const bool walked = is_walked(of, false);  // then everything with rates is computed another way
      if (!walked) {
        compare_masses(less, all);
        EXPECT_TRUE(same(less.v_exact, all.v_exact));
        EXPECT_TRUE(same(less.v_approximate, all.v_approximate));
        EXPECT_TRUE(same(less.ratio, all.ratio));
      }
      EXPECT_EQ(less.M.size() + less.W.postures() + less.joint_velocity_jump.postures(), 0);

      const Batch masses = predict_batch(of.robot, of.point, of.q, Eigen::MatrixXd(0, 0));
      if (!walked) {
        EXPECT_TRUE(same(masses.effective_mass, less.effective_mass));
      }
      EXPECT_TRUE(same(masses.status, less.status));
      EXPECT_EQ(masses.v_exact.size() + masses.impulse_total.postures() + masses.M.size(), 0);

      const Batch placed =
          predict_batch(of.robot, of.point, of.q, Eigen::MatrixXd(0, 0), {.outputs = BatchOutputs::positions});
      EXPECT_TRUE(same(placed.effective_mass, masses.effective_mass));
      EXPECT_TRUE(walked ? near(placed.p_WC, all.p_WC, rounding) : same(placed.p_WC, all.p_WC));
      EXPECT_EQ(placed.M.size() + placed.com_W.size() + masses.p_WC.size(), 0);

      if (is_walked(of, true)) continue;
      Batch at_rest = all;
      at_rest.v_exact = at_rest.v_approximate = at_rest.ratio = {};
      at_rest.impulse_compression = at_rest.impulse_total = {};
      at_rest.joint_velocity_jump = at_rest.joint_velocity_jump_least_norm = at_rest.joint_impulse = {};
      const Eigen::MatrixXd none(of.robot.size(), 0);
      EXPECT_TRUE(same(predict_batch(of.robot, of.point, of.q, none, {.outputs = BatchOutputs::everything}), at_rest));
    }
  });
}

TEST(Batch, TakesAnyNumberOfPosturesAndAnyAngle) {
  // less than a pack and more, singular postures among regular ones, angles beyond what the packs take
  const PredictOptions options{.restitution = 0.1};
  for (Question of : {panda(27), tree(walked_postures + 26)}) {
    SCOPED_TRACE(of.robot.name());
    const bool is_panda = of.robot.size() == 7;
    const Eigen::Index first = is_panda ? 1 : walked_postures;
    if (is_panda) of.q.col(3).setZero(), of.q.col(9).setZero();
    of.q(2, first + 4) += 2e5;
    of.q(6, first + 19) = -1e9;
    with_every_instruction_set([&] {
      for (Eigen::Index postures = first; postures <= of.q.cols(); ++postures)
        for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything}) {
          const Eigen::MatrixXd q = of.q.leftCols(postures), dq = of.dq.leftCols(is_panda ? postures : 0);
          const Batch batch =
              predict_batch(of.robot, of.point, q, dq, {.outputs = outputs, .restitution = options.restitution});
          const Eigen::Index last = postures - 1;
          SCOPED_TRACE(last);
          if (is_panda) {
            EXPECT_EQ(batch.status[InertiaModel::algebraic][last],
                      last == 0 || last == 3 || last == 9 ? InertiaStatus::singular : InertiaStatus::ok);
          }
          compare(of, batch, options, last, contact_dynamics(of.robot, of.point, of.q.col(last)));
        }
    });
  }
}

// What decides is what takes less time; that both ways are taken is tested here.
TEST(Batch, WalksLargeArms) {
  with_every_instruction_set([] {
    for (const bool everything : {false, true}) {
      EXPECT_FALSE(is_walked(panda(100000), everything));
      EXPECT_FALSE(is_walked(tree(1), everything));  // not worth its set-up
      EXPECT_TRUE(is_walked(tree(walked_postures), everything));
    }
    // by another order of operations, which ends in other bits
    const Question of = tree(walked_postures);
    const Eigen::MatrixXd none(24, 0);
    const BatchOptions options{.outputs = BatchOutputs::everything};
    const Batch walked = predict_batch(of.robot, of.point, of.q, none, options), masses = ask(of);
    const Batch passed = predict_batch(of.robot, of.point, of.q, of.dq, options);
    EXPECT_FALSE(same(walked.M, passed.M));
    EXPECT_TRUE(near(walked.M, passed.M, rounding));
    constexpr InertiaModel model = InertiaModel::generalized_momentum;
    EXPECT_FALSE(same(masses.effective_mass[model], passed.effective_mass[model]));
    for (Eigen::Index i = 0; i < walked_postures; ++i) {
      const double mass = passed.effective_mass[model][i], hard = hardness(passed.M.col(i).reshaped(24, 24), 1e4),
                   lost = std::max(1.0, passed.W[model].col(i).reshaped(3, 3).trace() * mass);
      EXPECT_TRUE(near(masses.effective_mass[model][i], mass, rounding * hard * lost));
    }
    // of a few postures they are the same
    const Question few = tree(1);
    EXPECT_TRUE(same(ask(few).effective_mass[model], ask(few, options).effective_mass[model]));
  });
}

// Chunks are walked where the whole batch is worth it: its last one may have few postures.
TEST(Batch, WalksTheLastPosturesAsTheOthers) {
  const Question of = tree(1024 + 3);
  const Eigen::MatrixXd none(24, 0), last = of.q.rightCols(walked_postures);
  for (const BatchOutputs outputs : {BatchOutputs::positions, BatchOutputs::everything}) {
    const Batch all = predict_batch(of.robot, of.point, of.q, none, {.outputs = outputs});
    const Batch part = predict_batch(of.robot, of.point, last, none, {.outputs = outputs});
    EXPECT_TRUE(same(MatrixX(all.p_WC.rightCols(walked_postures)), part.p_WC));
    EXPECT_TRUE(same(MatrixX(all.effective_mass.all().rightCols(walked_postures)), part.effective_mass.all()));
  }
}

TEST(Batch, TurnsToUnitsOfTheLastPlace) {
  // a point one metre out on a joint about z: its place is cosine and sine
  const Robot arm("arm", {{.name = "j", .link = "l", .axis = Vector3::UnitZ()}},
                  {{1, {0.5, 0, 0}, Matrix3::Identity()}}, {{.name = "l", .joint = 0}}, {});
  constexpr Eigen::Index many = 4000;
  test::Random random(test::base_seed());
  for (const auto& [largest, units] : {std::pair{300.0, 2.0}, std::pair{1e5, 4.0}}) {
    Eigen::MatrixXd q(1, many);
    for (Eigen::Index i = 0; i < many; ++i) {
      q(i) = std::uniform_real_distribution<double>(-largest, largest)(random);
      if (i % 5 == 0) q(i) = std::nearbyint(q(i) / M_PI_2) * M_PI_2;
    }
    with_every_instruction_set([&, largest = largest, units = units] {
      const Batch batch = predict_batch(arm, {"l", {1, 0, 0}, {0.6, 0.8, 0}}, q, Eigen::MatrixXd(1, 0),
                                        {.outputs = BatchOutputs::everything});
      const auto off = [](double x, long double exact) {
        const double size = std::abs(static_cast<double>(exact));
        return static_cast<double>(std::abs(x - exact)) / (std::nextafter(size, 2) - size);
      };
      double worst = 0;
      for (Eigen::Index i = 0; i < many; ++i) {
        const long double angle = q(i);
        worst = std::max({worst, off(batch.p_WC(0, i), std::cos(angle)), off(batch.p_WC(1, i), std::sin(angle))});
      }
      EXPECT_LT(worst, units) << largest;
    });
  }
}

TEST(Batch, KeepsItsMemory) {
  for (const Question& of : {panda(300), tree(walked_postures)})
    for (const bool rates : {false, true}) {
      const Eigen::MatrixXd dq = of.dq.leftCols(rates ? of.dq.cols() : 0), none(of.robot.size(), 0);
      const BatchOptions options{.outputs = BatchOutputs::everything};
      Batch batch;
      predict_batch(of.robot, of.point, of.q, dq, options, batch);
      const double* const memory = batch.M.data();
      predict_batch(of.robot, of.point, of.q.array() + 1, dq, options, batch);
      EXPECT_EQ(batch.M.data(), memory);
      predict_batch(of.robot, of.point, of.q, dq, options, batch);
      EXPECT_TRUE(same(batch, predict_batch(of.robot, of.point, of.q, dq, options)));
      predict_batch(of.robot, of.point, of.q, none, {}, batch);
      EXPECT_TRUE(same(batch, predict_batch(of.robot, of.point, of.q, none)));
    }
}

TEST(Batch, DoesNotDependOnTheThreads) {
  for (const Question& of : {panda(2000), tree(2000)})
    with_every_instruction_set([&] {
      for (const BatchOutputs outputs : {BatchOutputs::positions, BatchOutputs::everything}) {
        const auto asked = [&](int jobs) {
          return predict_batch(of.robot, of.point, of.q, Eigen::MatrixXd(of.robot.size(), 0),
                               {.outputs = outputs, .run = {.jobs = jobs}});
        };
        const Batch one = asked(1);
        for (const int jobs : {0, 2, 3, 16}) EXPECT_TRUE(same(asked(jobs), one)) << jobs;
      }
      const Batch one = ask(of, {.restitution = 0.2, .run = {.jobs = 1}});
      EXPECT_TRUE(same(ask(of, {.restitution = 0.2, .run = {.jobs = 3}}), one));
    });
}

TEST(Batch, SaysWhatDoesNotExist) {
  Question panda = question(load_robot("panda"), 2);
  panda.point = test::paper_contact();
  panda.q.col(1) = test::paper_configuration(0);
  const Batch batch = ask(panda);
  constexpr InertiaModel algebraic = InertiaModel::algebraic;
  EXPECT_EQ(batch.status[algebraic][0], InertiaStatus::singular);  // stretched out
  EXPECT_TRUE(std::isnan(batch.effective_mass[algebraic][0]));
  for (const InertiaModel model : all_inertia_models) EXPECT_EQ(batch.status[model][1], InertiaStatus::ok);
  EXPECT_EQ(ask(panda, {.pseudo_inverse = true}).status[algebraic][0], InertiaStatus::pseudo_inverse);
  EXPECT_EQ(ask(question(load_robot("planar_2r"), 1)).status[algebraic][0], InertiaStatus::underactuated);
}

TEST(Batch, TakesArraysAsTheyLie) {
  for (const Question& of : {panda(40), tree(walked_postures)})
    for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything}) {
      const Eigen::Index n = of.robot.size(), postures = of.q.cols();
      const Eigen::MatrixXd none(0, 0);
      const BatchOptions options{.outputs = outputs};
      const Batch plain = predict_batch(of.robot, of.point, of.q, none, options);
      // a posture a row, as other languages have it
      const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = of.q.transpose();
      const Eigen::Map<const Eigen::MatrixXd> columns(rows.data(), n, postures);
      EXPECT_TRUE(same(predict_batch(of.robot, of.point, columns, none, options), plain));
      // part of a larger matrix
      Eigen::MatrixXd larger = Eigen::MatrixXd::Constant(n + 2, postures + 2, std::numeric_limits<double>::quiet_NaN());
      larger.block(1, 2, n, postures) = of.q;
      EXPECT_TRUE(same(predict_batch(of.robot, of.point, larger.block(1, 2, n, postures), none, options), plain));
    }
}

TEST(Batch, OfNoPostures) {
  int calls = 0;
  const Batch none = ask(question(load_robot("panda"), 0),
                         {.outputs = BatchOutputs::everything, .run = {.progress = [&](auto, auto) { ++calls; }}});
  EXPECT_EQ(none.effective_mass.rows_per_model(), 1);
  EXPECT_EQ(none.effective_mass[InertiaModel::flexible_joints].size(), 0);
  EXPECT_EQ(none.M.rows(), 49);
  EXPECT_EQ(none.status.postures(), 0);
  EXPECT_EQ(none.v_exact.size(), 0);
  EXPECT_EQ(calls, 0);
}

TEST(Batch, TellsHowFarItIs) {
  const Question of = question(load_robot("panda"), 6000);
  for (const int jobs : {1, 3}) {
    std::size_t last = 0;
    int calls = 0;
    const auto progress = [&](std::size_t done, std::size_t all) {
      EXPECT_GT(done, last);
      EXPECT_EQ(all, 6000U);
      last = done;
      ++calls;
    };
    ask(of, {.run = {.jobs = jobs, .progress = progress}});
    EXPECT_EQ(last, 6000U);
    EXPECT_GT(calls, 3);
  }
}

TEST(Batch, EndsWhenProgressThrows) {
  const Question of = question(load_robot("panda"), 20000);
  for (const int jobs : {1, 2}) {
    std::size_t last = 0;
    const auto stop = [&](std::size_t done, std::size_t) {
      last = done;
      throw std::runtime_error("enough");
    };
    try {
      ask(of, {.run = {.jobs = jobs, .progress = stop}});
      ADD_FAILURE() << "nothing came out";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "enough");
    }
    EXPECT_LT(last, 4000U) << jobs;  // some thousand postures for each thread
  }
}

TEST(Batch, SaysThatItWasStopped) {
  const Question of = question(load_robot("panda"), 20000);
  for (const int jobs : {1, 2}) {
    std::atomic<bool> stop = false;
    std::size_t last = 0;
    const auto progress = [&](std::size_t done, std::size_t all) {
      last = done;
      stop = stop || done < all;
    };
    EXPECT_THROW(ask(of, {.run = {.jobs = jobs, .progress = progress, .stop = &stop}}), Interrupted);
    EXPECT_LT(last, 4000U) << jobs;
    EXPECT_THROW(ask(of, {.run = {.jobs = jobs, .stop = &stop}}), Interrupted);  // before the first

    stop = false;
    const auto at_the_end = [&](std::size_t done, std::size_t all) { stop = done == all; };
    EXPECT_TRUE(same(ask(of, {.run = {.jobs = jobs, .progress = at_the_end, .stop = &stop}}), ask(of))) << jobs;
  }
}

TEST(Batch, HandsOutModelsAndAllOfThem) {
  const Batch batch = ask(question(load_robot("planar_2r"), 5), {.outputs = BatchOutputs::everything});
  Eigen::Index k = 0;
  for (const InertiaModel model : all_inertia_models) {
    EXPECT_EQ(batch.effective_mass[model].size(), 5);
    EXPECT_EQ(batch.effective_mass[model].data(), batch.effective_mass.all().data() + k);
    EXPECT_EQ(batch.W[model].rows(), 9);
    EXPECT_EQ(batch.W[model].data(), batch.W.all().data() + 9 * k);
    EXPECT_EQ(batch.joint_impulse[model].rows(), 2);
    EXPECT_EQ(batch.joint_impulse[model].cols(), 5);
    EXPECT_EQ(batch.joint_impulse[model].data(), batch.joint_impulse.all().data() + 2 * k);
    ++k;
  }
  EXPECT_TRUE(same(ModelArray<double, 9>(batch.W.all()), batch.W));
}

// The columns of a model array, NaN for those that are named.
template <class Array>
void expect_gap(const Array& found, const Array& whole, Eigen::Index gap) {
  Eigen::MatrixXd expected = whole.all();
  if (expected.cols() > 0) expected.col(gap).setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(same(found.all(), expected));
}

void expect_gap(const MatrixX& found, const MatrixX& whole, Eigen::Index gap) {
  Eigen::MatrixXd expected = whole;
  if (expected.size() > 0) expected.col(gap).setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(same(found, expected));
}

void expect_gaps(const Question& good) {
  const Eigen::Index n = good.q.rows();
  for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::positions, BatchOutputs::everything})
    for (const bool rates : {false, true})
      for (Eigen::Index at = 0; at < good.q.size(); at += n - 3)
        for (const bool in_q : {true, false}) {
          if (!in_q && !rates) continue;
          Question bad = good;
          if (!rates) bad.dq.resize(n, 0);
          const Batch whole = ask(bad, {.outputs = outputs});
          (in_q ? bad.q : bad.dq)(at % n, at / n) =
              at % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : -std::numeric_limits<double>::infinity();
          const Batch found = ask(bad, {.outputs = outputs, .run = {.jobs = 2}});
          const Eigen::Index gap = at / n;
          for (const InertiaModel model : all_inertia_models)
            EXPECT_EQ(found.status[model][gap], in_q ? InertiaStatus::not_run : whole.status[model][gap]);
          if (in_q) {
            expect_gap(found.effective_mass, whole.effective_mass, gap);
            expect_gap(found.W, whole.W, gap);
            expect_gap(found.M, whole.M, gap);
            expect_gap(found.p_WC, whole.p_WC, gap);
          } else {
            EXPECT_TRUE(same(found.effective_mass, whole.effective_mass));
            EXPECT_TRUE(same(found.M, whole.M));
          }
          if (rates) {
            EXPECT_TRUE(std::isnan(found.v_exact[gap]));
            EXPECT_TRUE(std::isnan(found.ratio[gap]));
            expect_gap(found.impulse_total, whole.impulse_total, gap);
            expect_gap(found.joint_velocity_jump, whole.joint_velocity_jump, gap);
            expect_gap(found.joint_velocity_jump_least_norm, whole.joint_velocity_jump_least_norm, gap);
          }
        }
}

TEST(Batch, APostureThatIsNotFiniteHasNoAnswerAndTheOthersStand) {
  expect_gaps(question(load_robot("panda"), 21));
  expect_gaps(tree(walked_postures));
  Question large = question(load_robot("panda"), 21);  // whose sum is not finite
  large.q.setConstant(std::numeric_limits<double>::max());
  EXPECT_NE(ask(large).status[InertiaModel::generalized_momentum][0], InertiaStatus::not_run);
}

TEST(Batch, EqualsSingleQueriesWhereRotationsAreGivenWithSevenDigits) {
  const auto rounded = [](const Matrix3& R) { return Matrix3((R * 1e7).array().round() / 1e7); };
  for (const int joints : {8, 12, 24})
    for (const bool serial : {false, true})
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Robot exact = parse_urdf(test::random_urdf(seed, joints, serial), "exact");
        std::vector<Joint> parts = exact.joints();
        for (Joint& joint : parts) joint.R_PJ = rounded(joint.R_PJ);
        std::vector<Frame> frames = exact.frames();
        for (Frame& frame : frames) frame.R_JF = rounded(frame.R_JF);
        const Question of = question(Robot("rounded", parts, exact.bodies(), frames), walked_postures);
        SCOPED_TRACE(std::string(serial ? "chain of " : "tree of ") + std::to_string(joints) + ", seed " +
                     std::to_string(seed) + ", THUD_SEED " + std::to_string(test::base_seed()));
        const PredictOptions options{.restitution = 0.3};
        with_every_instruction_set([&] {
          for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything})
            for (const bool rates : {false, true}) {
              SCOPED_TRACE(std::string(to_string(outputs)) + (rates ? " with rates" : ""));
              const Batch batch =
                  predict_batch(of.robot, of.point, of.q, MatrixX(of.dq.leftCols(rates ? of.dq.cols() : 0)),
                                {.outputs = outputs, .restitution = options.restitution});
              for (Eigen::Index i = 0; i < of.q.cols() && !testing::Test::HasFailure(); ++i) {
                SCOPED_TRACE(i);
                compare(of, batch, options, i, contact_dynamics(of.robot, of.point, of.q.col(i)));
              }
            }
        });
      }
}

std::string refusal(const Question& of, const BatchOptions& options = {}) {
  try {
    ask(of, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(BatchRefuses, WhatDoesNotFit) {
  const Question good = question(load_robot("panda"), 100);
  Question bad = good;
  bad.q = good.q.topRows(6);
  EXPECT_EQ(refusal(bad), "q: 100 postures of 6 values: each needs 7, one per joint of panda");
  bad = good;
  bad.dq = good.dq.leftCols(99);
  EXPECT_EQ(refusal(bad),
            "dq: 99 postures of 7 values: must have the shape of q, 100 postures of 7 values, or no posture");
  bad.dq = good.dq.topRows(6);
  EXPECT_EQ(refusal(bad),
            "dq: 100 postures of 6 values: must have the shape of q, 100 postures of 7 values, or no posture");
}

TEST(BatchRefuses, OptionsAndPoints) {
  Question of = question(load_robot("panda"), 3);
  EXPECT_EQ(refusal(of, {.restitution = 1.5}), "restitution: 1.5: must be from 0 to 1");
  EXPECT_EQ(refusal(of, {.restitution = std::numeric_limits<double>::quiet_NaN()}),
            "restitution: nan: must be from 0 to 1");
  EXPECT_EQ(refusal(of, {.run = {.jobs = -1}}), "jobs: -1: must be at least 0");
  of.q.resize(7, 0);
  of.dq.resize(7, 0);
  of.point.normal_W.setZero();
  EXPECT_EQ(refusal(of), "normal: 0,0,0: must be finite and not zero");
  of.point.frame = "hand";
  EXPECT_THROW(ask(of), RobotError);
}

}  // namespace
}  // namespace thud
