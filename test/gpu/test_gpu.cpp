#include <thud/error.hpp>
#include <thud/gpu.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "gpu/batch.hpp"
#include "gpu/instance.hpp"
#include "gpu/launch.hpp"
#include "kernel/tree.hpp"
#include "support.hpp"

// Every test runs on a device that is the processor: the same threads, one after the other, and memory that is the
// host's. With THUD_GPU in the environment they run on the GPU of this machine.

namespace thud {
namespace {

// As between instruction sets (test_batch.cpp): some hundred roundings, relative to the largest entry; the algebraic
// model inverts a matrix whose condition is up to 5e8.
constexpr double rounding = 1e-12, rounding_of_inverse = 1e-8;

// Threads one after the other.
struct HostLauncher {
  bool everything, large;  // large: trees of any size as those that are too large for shared memory
  const gpu::Columns& columns;
  long count;

  template <int N, bool dh>
  void chain(const gpu::FixedArm<N, dh>& arm) const {
    for (long index = 0; index < count; ++index) {
      gpu::OwnColumn lanes{index};
      gpu::FixedPostures<N> s;
      if (everything)
        gpu::compute_chain<N, dh, true>(arm, columns, s, lanes);
      else
        gpu::compute_chain<N, dh, false>(arm, columns, s, lanes);
    }
  }

  void tree(const kernel::TreeInMemory& arm) const {
    if (large || arm.size > gpu::most_by_value) return threads(arm);
    threads(gpu::by_value(arm, everything));
  }

  template <class AnyArm>
  void threads(const AnyArm& arm) const {
    std::vector<double> memory(static_cast<std::size_t>(
        std::max(kernel::TreeRows<true, false>::count(arm), kernel::TreeRows<false, true>::count(arm)))),
        more(static_cast<std::size_t>(kernel::most_memory(static_cast<int>(arm.size))));
    const kernel::Rows<double> stack{more.data(), 1};
    for (long index = 0; index < count; ++index) {
      gpu::OwnColumn lanes{index, {memory.data(), 1}};
      if (everything)
        gpu::compute_tree<true, false>(arm, columns, stack, lanes);
      else if (columns.batch.dq)
        gpu::compute_tree<false, true>(arm, columns, stack, lanes);
      else
        gpu::compute_tree<false, false>(arm, columns, stack, lanes);
    }
  }
};

class HostDevice : public gpu::Device {
 public:
  std::string name() const override { return "processor"; }
  int number() const override { return 3; }
  void enter() const override { ++entered; }
  gpu::Place place_of(const void* memory) const override {
    if (elsewhere.count(memory) != 0) return gpu::Place::another_device;
    return there_.count(memory) != 0 ? gpu::Place::device : locked ? gpu::Place::page_locked : gpu::Place::host;
  }
  void* allocate(std::size_t bytes) override {
    ++allocations;
    return std::malloc(bytes);
  }
  void* allocate_locked(std::size_t bytes) override { return allocate(bytes); }
  void release(void* memory) noexcept override {
    --allocations;
    std::free(memory);
  }
  Stream make_stream() override { return nullptr; }
  void copy(void* to, const void* from, std::size_t bytes, Stream stream) override {
    use(stream);
    std::memcpy(to, from, bytes);
  }
  void zero(void* memory, std::size_t bytes, Stream stream) override {
    use(stream);
    std::memset(memory, 0, bytes);
  }
  void wait(Stream stream) override { use(stream); }
  void order(Stream before, Stream stream) override {
    EXPECT_EQ(launched, 0);
    use(stream);
    waited_for.insert(before);
  }
  void launch(const kernel::TurnedArm& arm, bool everything, const gpu::Columns& columns, long count,
              Stream stream) override {
    use(stream);
    gpu::dispatch(arm, HostLauncher{everything, large, columns, count});
    const std::scoped_lock lock(mutex_);
    launched += count;
    for (long first = 0; first < count; first += 32) irregular += std::popcount(columns.irregular[first / 32]);
  }
  void gather(const void* from, long stride, long words, const long* columns, long count, void* to,
              Stream stream) override {
    use(stream);
    for (long i = 0; i < words * count; ++i)
      static_cast<double*>(to)[i] = static_cast<const double*>(from)[columns[i / words] * stride + i % words];
  }
  void scatter(const void* from, long words, const long* columns, long count, void* to, Stream stream) override {
    use(stream);
    for (long i = 0; i < count; ++i)
      std::memcpy(static_cast<char*>(to) + 8 * columns[i] * words, static_cast<const char*>(from) + 8 * i * words,
                  static_cast<std::size_t>(8 * words));
  }

  /// Memory that is on the device from now on.
  void* there(void* memory) {
    there_.insert(memory);
    return memory;
  }

  bool locked = false, large = false;
  std::atomic<int> allocations = 0;
  long launched = 0, irregular = 0;  // postures, and those of them that were left to the processor
  std::set<Stream> streams, waited_for;
  std::set<const void*> elsewhere;  // memory of another device
  mutable std::atomic<int> entered = 0;

 private:
  void use(Stream stream) {
    const std::scoped_lock lock(mutex_);
    streams.insert(stream);
  }

  std::mutex mutex_;
  std::set<const void*> there_;
};

bool on_a_gpu() {
  return std::getenv("THUD_GPU") != nullptr;
}

gpu::Device& device() {
  static auto& host = *new HostDevice;
  return on_a_gpu() ? gpu::device() : host;
}

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

Batch ask(const Question& of, const BatchOptions& options, bool rates) {
  Batch batch;
  gpu::compute(device(), of.robot, of.point, of.q, rates ? MatrixX(of.dq) : MatrixX(of.robot.size(), 0), options,
               batch);
  return batch;
}

// The largest difference of a column, as a share of its largest entry; infinite where one is NaN and the other is not.
double difference(const MatrixRef& a, const MatrixRef& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (Eigen::Index i = 0; i < a.cols() && a.rows() > 0; ++i) {
    if ((a.col(i).array().isNaN() != b.col(i).array().isNaN()).any()) return std::numeric_limits<double>::infinity();
    const VectorX known = b.col(i).array().isNaN().select(0, b.col(i)),
                  other = a.col(i).array().isNaN().select(0, a.col(i));
    const double size = known.cwiseAbs().maxCoeff();
    if (size > 0) worst = std::max(worst, (known - other).cwiseAbs().maxCoeff() / size);
  }
  return worst;
}

// How many times more than usual is lost where M is ill conditioned, of the worst posture.
double hardness(const Batch& all, Eigen::Index n) {
  double worst = 1;
  for (Eigen::Index i = 0; i < all.M.cols(); ++i) {
    const Eigen::MatrixXd M = all.M.col(i).reshaped(n, n);
    if (!M.allFinite() || !(M.diagonal().array() > 0).all()) continue;
    const VectorX scale = M.diagonal().cwiseSqrt().cwiseInverse();
    const VectorX values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scale.asDiagonal() * M * scale.asDiagonal()).eigenvalues();
    worst = std::max(worst, values.maxCoeff() / std::max(values.minCoeff(), 1e-12) / 1e3);
  }
  return worst;
}

// A batch of the device against that of the processor; `all` is everything of the latter, which the passes computed.
void compare(const Question& of, const Batch& found, const Batch& known, const Batch& all, double restitution) {
  EXPECT_TRUE(std::ranges::equal(found.status.all().reshaped(), all.status.all().reshaped()));
  for (const auto& [array, name] : {std::pair{&Batch::p_WC, "p_WC"},
                                    {&Batch::com_W, "com_W"},
                                    {&Batch::Ic_W, "Ic_W"},
                                    {&Batch::J, "J"},
                                    {&Batch::A_G, "A_G"},
                                    {&Batch::M, "M"}})
    EXPECT_LE(difference(found.*array, (known.*array).size() > 0 ? all.*array : known.*array), rounding) << name;
  const double hard = hardness(all, of.robot.size());
  for (const InertiaModel model : all_inertia_models) {
    SCOPED_TRACE(to_string(model));
    const double tolerance = model == InertiaModel::algebraic ? rounding_of_inverse : rounding * hard;
    if (known.W.postures() > 0) {
      EXPECT_LE(difference(found.W[model], all.W[model]), tolerance);
    }
    for (Eigen::Index i = 0; i < of.q.cols(); ++i) {
      SCOPED_TRACE(i);
      const double a = found.effective_mass[model][i], b = all.effective_mass[model][i];
      EXPECT_EQ(std::isnan(a), std::isnan(b));
      if (std::isnan(b)) continue;
      const double lost = all.W[model].col(i).reshaped(3, 3).trace() * b;  // n.W n is a small part of W
      EXPECT_LE(std::abs(a - b), tolerance * std::fmax(1, lost) * b);
      if (found.v_exact.size() == 0) continue;
      const double compression = a * std::fmax(0, -found.v_exact[i]);
      EXPECT_EQ(std::isnan(found.impulse_total[model][i]), std::isnan(known.impulse_total[model][i]));
      if (std::isnan(known.impulse_total[model][i])) continue;
      EXPECT_DOUBLE_EQ(found.impulse_compression[model][i], compression);
      EXPECT_DOUBLE_EQ(found.impulse_total[model][i], (1 + restitution) * compression);
    }
  }
  EXPECT_EQ(found.v_exact.size(), known.v_exact.size());
  EXPECT_EQ(found.ratio.size(), known.ratio.size());
  if (known.v_exact.size() == 0) return;
  EXPECT_LE(difference(found.v_exact, all.v_exact), rounding);
  EXPECT_LE(difference(found.v_approximate, all.v_approximate), rounding * hard);
  // a quotient loses what its divisor lost, which may be a sum of almost nothing
  const auto largest = [](const VectorX& v) { return v.array().isNaN().select(0, v.cwiseAbs()).maxCoeff(); };
  const double exact = rounding * largest(all.v_exact), approximate = rounding * hard * largest(all.v_approximate);
  for (Eigen::Index i = 0; i < of.q.cols(); ++i) {
    EXPECT_EQ(std::isnan(found.ratio[i]), std::isnan(all.ratio[i])) << i;
    if (std::isnan(all.ratio[i])) continue;
    EXPECT_LE(std::abs(found.ratio[i] - all.ratio[i]),
              (approximate + std::abs(all.ratio[i]) * exact) / std::max(0.0, std::abs(all.v_exact[i]) - exact))
        << i;
  }
}

// Everything of the processor, and at rest; with rates it walks no arm.
Batch everything(const Question& of) {
  return predict_batch(of.robot, of.point, of.q, of.dq, {.outputs = BatchOutputs::everything});
}
Batch everything_at_rest(const Question& of) {
  return predict_batch(of.robot, of.point, of.q, MatrixX(of.robot.size(), 0), {.outputs = BatchOutputs::everything});
}

// A chain or tree of links with three different principal moments. Where nothing is rotated, turns of frames are none
// or half ones, exactly.
struct PlacedJoint {
  const char* type;
  Vector3 axis, p_PJ;
  Vector3 rpy = Vector3::Zero();
  int parent = -2;          // the joint before
  std::string mimics = {};  // the joint that it follows
};

std::string text(const Vector3& v) {
  return to_text(v[0]) + " " + to_text(v[1]) + " " + to_text(v[2]);
}

Robot placed(const std::vector<PlacedJoint>& joints, const std::string& name) {
  const auto link = [](int i) {
    return "<link name=\"link" + std::to_string(i) +
           "\"><inertial><origin xyz=\"0.02 -0.03 0.05\" rpy=\"0.3 0.2 0.1\"/><mass value=\"2\"/><inertia "
           "ixx=\"0.02\" iyy=\"0.03\" izz=\"0.015\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n";
  };
  std::string urdf = "<robot name=\"" + name + "\">\n" + link(0);
  for (int i = 0; const PlacedJoint& joint : joints) {
    const int parent = joint.parent == -2 ? i : joint.parent + 1;
    ++i;
    urdf += link(i) + "<joint name=\"joint" + std::to_string(i) + "\" type=\"" + joint.type + "\"><parent link=\"link" +
            std::to_string(parent) + "\"/><child link=\"link" + std::to_string(i) + "\"/><origin xyz=\"" +
            text(joint.p_PJ) + "\" rpy=\"" + text(joint.rpy) + "\"/><axis xyz=\"" + text(joint.axis) +
            "\"/><limit lower=\"-9\" upper=\"9\" velocity=\"9\" effort=\"9\"/>" +
            (joint.mimics.empty() ? "" : "<mimic joint=\"" + joint.mimics + "\"/>") + "</joint>\n";
  }
  return parse_urdf(urdf + "</robot>\n", name);
}

// Seven joints about z and y by turns, as most arms have them, without rotations between their frames.
Robot unrotated_chain() {
  const Vector3 z = Vector3::UnitZ(), y = Vector3::UnitY();
  return placed({{"revolute", z, {0.02, -0.01, 0.3}},
                 {"revolute", y, {0.03, 0.05, 0.2}},
                 {"revolute", z, {-0.02, 0.04, 0.25}},
                 {"revolute", y, {0.01, -0.06, 0.15}},
                 {"revolute", z, {0.05, 0.02, 0.2}},
                 {"revolute", y, {-0.04, 0.03, 0.1}},
                 {"revolute", z, {0.06, -0.02, 0.12}}},
                "unrotated chain");
}

// Every instance: chains of 6 and 7, trees by value and in memory, one limb and the whole of several.
std::vector<Question> questions() {
  std::vector<Question> all{question(load_robot("panda"), 700), question(load_robot("planar_2r"), 300)};
  all[0].point = test::paper_contact();
  for (const std::string& name : shipped_robots()) all.push_back(question(load_robot(name), 131));
  all.push_back(question(unrotated_chain(), 131));
  for (const int joints : {3, 8, 10, 12, 16, 20, 40}) {
    all.push_back(question(parse_urdf(test::random_urdf(3, joints), "tree"), 101));
    all.push_back(all.back());
    all.back().point.whole = true;
  }
  for (const int joints : {5, 6, 7, 9})
    all.push_back(question(parse_urdf(test::random_urdf(4, joints, true), "chain"), 261));
  for (const int joints : {8, 16, 24}) {  // with the algebraic model
    all.push_back(question(parse_urdf(test::random_long_branch_urdf(6, joints), "tree with a long branch"), 101));
    all.back().point.frame = test::farthest_frame(all.back().robot);
  }
  return all;
}

// What the questions are there for.
TEST(Gpu, AsksForTheAlgebraicModelOfBranches) {
  int branches = 0;
  for (const Question& of : questions()) {
    const kernel::Tree tree(of.robot, of.point);
    branches += !tree.arm.serial && tree.arm.contact_chain >= 6;
  }
  EXPECT_GE(branches, 3);
}

TEST(Gpu, AnswersAsTheProcessorDoes) {
  for (const Question& of : questions()) {
    SCOPED_TRACE(of.robot.name() + " of " + std::to_string(of.robot.size()) + ", hit at " + of.point.frame);
    const Batch all = everything(of);
    auto* const host = dynamic_cast<HostDevice*>(&device());
    if (host) host->launched = host->irregular = 0;
    compare(of, ask(of, {.outputs = BatchOutputs::everything}, false), everything_at_rest(of), all, 0);
    for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::positions})
      for (const bool rates : {false, true}) {
        const BatchOptions options{.outputs = outputs, .restitution = 0.3};
        const MatrixX dq = of.dq.leftCols(rates ? of.dq.cols() : 0);
        compare(of, ask(of, options, rates), predict_batch(of.robot, of.point, of.q, dq, options), all, 0.3);
      }
    if (host) {
      EXPECT_LE(host->irregular, host->launched / 20);
    }
  }
}

// What the shared memory of a block does not hold, memory of the device does; the numbers are the same.
TEST(Gpu, TakesLargeTreesToOtherMemory) {
  HostDevice large;
  large.large = true;
  const Question of = question(parse_urdf(test::random_urdf(3, 12), "tree"), 101);
  for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything}) {
    const Batch all = everything(of);
    Batch found;
    gpu::compute(large, of.robot, of.point, of.q, MatrixX(12, 0), {.outputs = outputs}, found);
    compare(of, found, predict_batch(of.robot, of.point, of.q, MatrixX(12, 0), {.outputs = outputs}), all, 0);
  }
}

// Blocks never ask for more than a GPU gives them, and have as many warps as pays.
TEST(Gpu, AsksForTheSharedMemoryThatThereIs) {
  const gpu::SharedMemory h200{233472, 1024, 232448}, a100{167936, 1024, 166912}, small{102400, 1024, 101376};
  for (const gpu::SharedMemory& memory : {h200, a100, small}) {
    for (int tile = 8; tile < 300000; tile += 1000) {
      const int warps = gpu::warps_of_block(tile, 2, memory);
      EXPECT_LE(warps * tile, memory.block);
      EXPECT_EQ(warps == 0, tile > memory.block);
      EXPECT_EQ(gpu::warps_of_block(tile, 1, memory), warps == 0 ? 0 : 1);
    }
  }
  EXPECT_EQ(gpu::warps_of_block(12 * 2 * gpu::pitch * 8, 2, h200), 2);  // masses of 12 joints
  EXPECT_EQ(gpu::warps_of_block(h200.block, 2, h200), 1);

  // a chain of 32 joints: everything fits into the shared memory of the first alone
  const Robot chain = parse_urdf(test::random_urdf(4, gpu::most_by_value, true), "chain");
  const kernel::Tree tree(chain, {chain.frames().back().name, Vector3::Zero(), Vector3::UnitX()});
  const kernel::Frames frames(tree.arm);
  const gpu::TreeByValue arm = gpu::by_value(kernel::Walk(frames.arm(), true).arm(), true);
  const int everything = 8 * gpu::tile_doubles<true, false>(arm), masses = 8 * gpu::tile_doubles<false, true>(arm);
  EXPECT_EQ(gpu::warps_of_block(everything, 1, h200), 1);
  EXPECT_EQ(gpu::warps_of_block(everything, 1, a100), 0);
  EXPECT_EQ(gpu::warps_of_block(masses, 1, small), 1);
}

// Frames are turned and moved along the axes of joints where that saves work, and left alone where nothing is to be
// saved.
TEST(Gpu, TurnsFramesToTheConvention) {
  for (const std::uint64_t seed : {4U, 5U, 6U}) {
    const Robot chain = parse_urdf(test::random_urdf(seed, 9, true), "chain");
    const kernel::Tree tree(chain, {chain.frames().back().name, Vector3::Zero(), Vector3::UnitX()});
    const kernel::Frames frames(tree.arm);
    int before = 0, after = 0;
    for (long i = 1; i < tree.arm.size; ++i) before += tree.arm.joints[i].is_dh, after += frames.arm().joints[i].is_dh;
    EXPECT_GT(after, before);
  }
  const kernel::Tree panda(load_robot("panda"), test::paper_contact());
  const kernel::Frames same(panda.arm);
  for (long i = 0; i < 7; ++i) {
    EXPECT_EQ(same.arm().joints[i].turn_sine, 0);
    EXPECT_EQ(same.arm().joints[i].p[1], panda.arm.joints[i].p[1]);
  }
}

// A joint of an arm in the world.
struct InWorld {
  Matrix3 R;
  Vector3 p;
};

// Forward kinematics from the numbers that the kernel has, `turn_of(i)` added to the angle of joint i.
template <class Joint, class TurnOf>
std::vector<InWorld> in_world(const Joint* joints, const VectorX& q, const TurnOf& turn_of) {
  std::vector<InWorld> all;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const Joint& joint = joints[i];
    const InWorld parent =
        joint.parent < 0 ? InWorld{Matrix3::Identity(), Vector3::Zero()} : all[static_cast<std::size_t>(joint.parent)];
    Matrix3 R = Eigen::Map<const Matrix3>(joint.R[0]);
    Vector3 p = Eigen::Map<const Vector3>(joint.p);
    if (joint.is_dh && i > 0) {  // what the kernel reads then
      EXPECT_NEAR((R.col(0) - Vector3::UnitX()).norm(), 0, rounding);
      p = Vector3(joint.p[0], 0, 0) + R.col(2) * joint.dh_offset;
    }
    if (joint.is_revolute)
      R = R * Eigen::AngleAxisd(q[i] + turn_of(i), Vector3::UnitZ()).toRotationMatrix();
    else
      p += R.col(2) * q[i];
    all.push_back({parent.R * R, parent.p + parent.R * p});
  }
  return all;
}

// Joints along and about the axes of each other, all angles between them multiples of a quarter turn; a tree if
// `branch`.
Robot quarter_turns(std::uint64_t seed, bool branch) {
  test::Random random(seed);
  std::vector<PlacedJoint> joints;
  for (int i = 0; i < 9; ++i) {
    const auto quarters = [&] { return std::numbers::pi / 2 * static_cast<double>(random() % 4); };
    const Vector3 axis =
        (random() % 2 == 0 ? 1 : -1) * Matrix3::Identity().col(static_cast<Eigen::Index>(random() % 3));
    const Vector3 rpy(quarters(), quarters(), quarters());
    const Vector3 p = random() % 4 == 0 ? Vector3(0, 0, 0.2) : Vector3(0.3 * test::random_vector(random));
    joints.push_back({random() % 5 == 0 ? "prismatic" : "revolute", axis, p, random() % 2 == 0 ? rpy : Vector3::Zero(),
                      branch && i % 3 == 2 ? i / 2 - 1 : -2});
  }
  return placed(joints, branch ? "tree of quarter turns" : "chain of quarter turns");
}

// The joints do what they did: turned frames have the same axes, and differ from the untouched ones by a turn about and
// a shift along these. Links and contact are where they were, with the same inertia.
TEST(Gpu, TurnsFramesWithoutMovingLinks) {
  std::vector<Robot> robots{unrotated_chain(), load_robot("iiwa14"), load_robot("gen3"), load_robot("xarm7")};
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    for (const bool branch : {false, true}) robots.push_back(quarter_turns(seed, branch));
    for (const bool serial : {false, true})
      robots.push_back(parse_urdf(test::random_urdf(seed, 12, serial), serial ? "chain" : "tree"));
  }
  int turned = 0, half = 0, shifted = 0, slides = 0, antiparallel = 0;
  for (const Robot& robot : robots) {
    SCOPED_TRACE(robot.name());
    test::Random random(test::base_seed());
    const test::Sample sample = test::random_sample(random, robot);
    const kernel::Tree tree(robot, sample.point);
    const kernel::Frames frames(tree.arm);
    const kernel::TurnedJoint* const joints = frames.arm().joints;
    for (long i = 0; i < tree.arm.size; ++i) {
      EXPECT_NEAR(std::hypot(joints[i].turn_sine, joints[i].turn_cosine), 1, rounding);
      const bool none = joints[i].turn_sine == 0 && joints[i].turn_cosine == 1;
      EXPECT_TRUE(none || joints[i].is_revolute);
      turned += !none, half += joints[i].turn_sine == 0 && joints[i].turn_cosine == -1,
          slides += !joints[i].is_revolute;
      antiparallel += tree.arm.joints[i].R[2][2] == -1;
    }
    const auto turn_of = [&](Eigen::Index i) { return std::atan2(joints[i].turn_sine, joints[i].turn_cosine); };
    for (int posture = 0; posture < 5; ++posture) {
      const VectorX q = test::random_sample(random, robot).state.q;
      const std::vector<InWorld> known = in_world(tree.arm.joints, q, [](Eigen::Index) { return 0.0; }),
                                 found = in_world(joints, q, turn_of);
      for (std::size_t i = 0; i < known.size(); ++i) {
        SCOPED_TRACE(i);
        const Vector3 axis = known[i].R.col(2), moved = found[i].p - known[i].p;
        EXPECT_NEAR((found[i].R.col(2) - axis).norm(), 0, rounding);
        EXPECT_NEAR(moved.cross(axis).norm(), 0, rounding);
        shifted += moved.norm() > 1e-3;
        const auto link = [](const InWorld& at, const kernel::ArmJoint& joint) {
          return std::pair<Vector3, Matrix3>{at.p + at.R * Eigen::Map<const Vector3>(joint.com),
                                             at.R * kernel::whole_inertia(joint.inertia) * at.R.transpose()};
        };
        const auto [com, inertia] = link(known[i], tree.arm.joints[i]);
        const auto [turned_com, turned_inertia] = link(found[i], joints[i]);
        EXPECT_NEAR((turned_com - com).norm(), 0, rounding);
        EXPECT_NEAR((turned_inertia - inertia).norm(), 0, rounding * inertia.norm());
      }
      const auto contact = [](const std::vector<InWorld>& all, const auto& arm) {
        const InWorld& carrier = all[static_cast<std::size_t>(arm.contact_joint)];
        return Vector3(carrier.p + carrier.R * Eigen::Map<const Vector3>(arm.offset));
      };
      EXPECT_NEAR((contact(found, frames.arm()) - contact(known, tree.arm)).norm(), 0, rounding);
    }
  }
  for (const int count : {turned, half, shifted, slides, antiparallel}) EXPECT_GT(count, 5);
}

// Turns are added to angles without a loss, however large these are.
TEST(Gpu, TakesAnyAngleOfTurnedFrames) {
  for (const Robot& robot : {unrotated_chain(), load_robot("iiwa7"), parse_urdf(test::random_urdf(4, 7, true), "chain"),
                             parse_urdf(test::random_urdf(4, 9, true), "chain"),
                             parse_urdf(test::random_urdf(3, 12), "tree"), quarter_turns(2, true)}) {
    SCOPED_TRACE(robot.name() + " of " + std::to_string(robot.size()));
    const kernel::Tree tree(robot, question(robot, 1).point);
    const kernel::Frames frames(tree.arm);
    EXPECT_TRUE(std::any_of(frames.arm().joints, frames.arm().joints + frames.arm().size,
                            [](const kernel::TurnedJoint& joint) { return joint.turn_cosine != 1; }));
    Question of = question(robot, 60);
    for (Eigen::Index i = 0; i < of.q.rows(); ++i)
      if (robot.joints()[static_cast<std::size_t>(i)].type != JointType::prismatic)
        for (Eigen::Index k = 0; k < of.q.cols(); ++k)
          of.q(i, k) *= std::pow(10.0, static_cast<double>(k % 10) / 2) * (k % 10 == 9 ? 1 : 0.3);  // to 1e5 rad
    const auto& joints = robot.joints();
    const auto turns = std::ranges::find_if(joints, [](const Joint& j) { return j.type != JointType::prismatic; });
    of.q(turns - joints.begin(), 9) = 1e5, of.q(turns - joints.begin(), 19) = -1e5;
    EXPECT_EQ(of.q.maxCoeff(), 1e5);
    EXPECT_EQ(of.q.minCoeff(), -1e5);
    auto* const host = dynamic_cast<HostDevice*>(&device());
    if (host) host->launched = host->irregular = 0;
    for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything})
      compare(of, ask(of, {.outputs = outputs}, false),
              predict_batch(of.robot, of.point, of.q, MatrixX(robot.size(), 0), {.outputs = outputs}), everything(of),
              0);
    if (host) {
      EXPECT_LE(host->irregular, host->launched / 20);
    }
  }
}

TEST(Gpu, TakesAnyNumberOfPosturesAndAnyAngle) {
  Question of = question(load_robot("panda"), 70);
  of.point = test::paper_contact();
  for (Eigen::Index i = 20; i < 60; ++i) of.q.col(i) *= std::pow(10.0, static_cast<double>(i % 6));  // to 3e5 rad
  of.q.col(33).setZero();
  for (const Eigen::Index postures : {1, 31, 32, 33, 64, 70}) {
    Question part = of;
    part.q = of.q.leftCols(postures), part.dq = of.dq.leftCols(postures);
    for (const BatchOutputs outputs : {BatchOutputs::masses, BatchOutputs::everything}) {
      const Batch known = predict_batch(of.robot, of.point, part.q, MatrixX(7, 0), {.outputs = outputs});
      compare(part, ask(part, {.outputs = outputs}, false), known, everything(part), 0);
      EXPECT_EQ(known.status[InertiaModel::algebraic][0], InertiaStatus::singular);
    }
  }
}

TEST(Gpu, SaysWhatDoesNotExist) {
  Question of = question(load_robot("panda"), 40);
  of.point = test::paper_contact();
  of.q(3, 5) = std::numeric_limits<double>::quiet_NaN();
  of.dq(6, 39) = std::numeric_limits<double>::infinity();
  compare(of, ask(of, {}, true), predict_batch(of.robot, of.point, of.q, of.dq), everything(of), 0);
  const Batch found = ask(of, {}, true);
  EXPECT_EQ(found.status[InertiaModel::generalized_momentum][5], InertiaStatus::not_run);
  EXPECT_TRUE(std::isnan(found.v_exact[39]));
  EXPECT_EQ(ask(of, {.pseudo_inverse = true}, false).status[InertiaModel::algebraic][0], InertiaStatus::pseudo_inverse);

  const Robot massless("point", {{.name = "j", .link = "l", .axis = Vector3::UnitZ()}},
                       {{0, Vector3::Zero(), Matrix3::Zero()}}, {{.name = "l", .joint = 0}}, {});
  Question nothing{massless, {"l", {1, 0, 0}, {0, 1, 0}}, Eigen::MatrixXd::Constant(1, 3, 0.5), Eigen::MatrixXd(1, 0)};
  compare(nothing, ask(nothing, {}, false), predict_batch(massless, nothing.point, nothing.q, nothing.dq),
          everything(nothing), 0);
  EXPECT_EQ(ask(nothing, {}, false).status[InertiaModel::generalized_momentum][2], InertiaStatus::massless);
}

// Arrays that the device has are used where they lie; postures beside each other need not be.
TEST(Gpu, LeavesArraysOnTheDevice) {
  Question of = question(load_robot("panda"), 1000);
  of.point = test::paper_contact();  // the first posture is singular
  gpu::Device& there = device();
  constexpr Eigen::Index stride = 9;
  Eigen::MatrixXd apart = Eigen::MatrixXd::Constant(stride, 1000, 7);
  apart.topRows(7) = of.q;
  std::vector<void*> taken;
  const auto take = [&](Eigen::Index words) {
    taken.push_back(there.allocate(static_cast<std::size_t>(8 * words)));
    if (!on_a_gpu()) static_cast<HostDevice&>(there).there(taken.back());
    return static_cast<double*>(taken.back());
  };
  double* const q = take(stride * 1000);
  int marks[2];  // streams of a device that has none
  gpu::Device::Stream used = marks, other = marks + 1;
  if (on_a_gpu()) used = there.make_stream(), other = there.make_stream();
  there.copy(q, apart.data(), static_cast<std::size_t>(8 * stride * 1000), other);
  BatchArrays arrays{.postures = 1000, .q = q, .q_stride = stride, .effective_mass = take(4000)};
  arrays.status = reinterpret_cast<InertiaStatus*>(take(2000));
  arrays.after = {other, used};
  if (auto* const host = dynamic_cast<HostDevice*>(&there))
    host->streams.clear(), host->waited_for.clear(), host->launched = 0, host->irregular = 0;
  gpu::compute(there, of.robot, of.point, arrays, {}, used);
  if (const auto* const host = dynamic_cast<HostDevice*>(&there)) {
    EXPECT_EQ(host->streams, std::set<gpu::Device::Stream>{used});
    EXPECT_EQ(host->waited_for, std::set<gpu::Device::Stream>{other});
    EXPECT_GT(host->irregular, 0);  // which go there and back on it too
  }
  Batch found = predict_batch(of.robot, of.point, of.q, MatrixX(7, 0));
  const Batch known = found;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::DontAlign> masses(4, 1000);
  there.copy(masses.data(), arrays.effective_mass, 8 * 4000, nullptr);
  there.wait(nullptr);
  found.effective_mass = ModelArray<double, 1>(masses);
  compare(of, found, known, everything(of), 0);

  Eigen::VectorXd here(4000);
  arrays.effective_mass = here.data();
  EXPECT_THROW(gpu::compute(there, of.robot, of.point, arrays, {}, nullptr), InputError);
  for (void* memory : taken) there.release(memory);
}

TEST(Gpu, KeepsToTheCurrentDevice) {
  const Question of = question(load_robot("panda"), 20);
  HostDevice there;
  Eigen::VectorXd masses(80);
  std::vector<InertiaStatus> status(80);
  BatchArrays arrays{.postures = 20, .q = of.q.data(), .effective_mass = masses.data(), .status = status.data()};
  const auto refused = [&](const void* memory) {
    there.elsewhere = {memory};
    try {
      gpu::compute(there, of.robot, of.point, arrays, {}, nullptr);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_EQ(refused(of.q.data()), "q: on another GPU: must be on the current one, 3");
  EXPECT_EQ(refused(masses.data()), "results: on another GPU: must be on the current one, 3");
  EXPECT_EQ(there.launched, 0);
  EXPECT_EQ(refused(nullptr), "not refused");
  EXPECT_GT(there.entered, 0);  // by the threads that copy
}

TEST(Gpu, StagesManyParts) {
  Question of = question(load_robot("panda"), 30000);
  of.point = test::paper_contact();
  for (Eigen::Index i = 0; i < of.q.cols(); i += 999) of.q.col(i).setZero();
  const BatchOptions options{.outputs = BatchOutputs::everything};
  const Batch known = predict_batch(of.robot, of.point, of.q, MatrixX(7, 0), options);
  Batch batch;
  for (const int jobs : {1, 3}) {
    std::size_t last = 0;
    BatchOptions told = options;
    told.run = {.jobs = jobs, .progress = [&](std::size_t done, std::size_t) { last = done; }};
    gpu::compute(device(), of.robot, of.point, of.q, MatrixX(7, 0), told, batch);
    EXPECT_EQ(last, 30000U);
    EXPECT_TRUE(std::ranges::equal(batch.status.all().reshaped(), known.status.all().reshaped()));
    EXPECT_LE(difference(batch.M, known.M), rounding);
    EXPECT_LE(difference(batch.W[InertiaModel::generalized_momentum], known.W[InertiaModel::generalized_momentum]),
              1e2 * rounding);
  }
  if (on_a_gpu()) return;
  HostDevice locked;
  locked.locked = true;
  gpu::compute(locked, of.robot, of.point, of.q, MatrixX(7, 0), options, batch);
  EXPECT_LE(difference(batch.J, known.J), rounding);
}

std::string refusal(const Question& of, const BatchOptions& options, bool rates) {
  try {
    ask(of, options, rates);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(GpuRefuses, WhatTheProcessorRefusesAndWhatItAloneComputes) {
  const Question good = question(load_robot("panda"), 10);
  Question bad = good;
  bad.q = good.q.topRows(6);
  EXPECT_EQ(refusal(bad, {}, false), "q: 10 postures of 6 values: each needs 7, one per joint of panda");
  bad = good;
  bad.dq = good.dq.leftCols(9);
  EXPECT_EQ(refusal(bad, {}, true),
            "dq: 9 postures of 7 values: must have the shape of q, 10 postures of 7 values, or no posture");
  EXPECT_EQ(refusal(good, {.restitution = 2}, false), "restitution: 2: must be from 0 to 1");
  EXPECT_EQ(refusal(good, {.run = {.jobs = -1}}, false), "jobs: -1: must be at least 0");
  EXPECT_EQ(refusal(good, {.outputs = BatchOutputs::everything}, true),
            "outputs: everything: with joint rates is computed by the processor only");
  EXPECT_EQ(refusal(question(load_robot("planar_2r"), 4), {.pseudo_inverse = true}, false),
            "pseudo_inverse: true: fewer than six joints move the contact point: the processor computes each posture");
  bad = good;
  bad.point.frame = "hand";
  EXPECT_THROW(ask(bad, {}, false), RobotError);

  std::vector<PlacedJoint> joints(3, {"revolute", Vector3::UnitY(), {0.1, 0, 0.2}});
  joints[2].mimics = "joint2";
  EXPECT_EQ(refusal(question(placed(joints, "gripper"), 4), {}, false),
            "backend: gpu: gripper has joints that follow others, which the processor computes");
}

// Arrays are those of the outputs that are asked for, no more and no less.
TEST(GpuRefuses, ArraysThatAreMissingOrNotAskedFor) {
  const Question of = question(load_robot("panda"), 10);
  Eigen::VectorXd some(1000);
  InertiaStatus status[40];
  const auto says = [&](const BatchArrays& arrays, BatchOutputs outputs) {
    try {
      gpu::compute(device(), of.robot, of.point, arrays, {.outputs = outputs}, nullptr);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  using Array = std::pair<double * BatchArrays::*, std::string>;
  const std::vector<Array> of_everything{{&BatchArrays::com_W, "com_W"}, {&BatchArrays::Ic_W, "Ic_W"},
                                         {&BatchArrays::J, "J"},         {&BatchArrays::A_G, "A_G"},
                                         {&BatchArrays::M, "M"},         {&BatchArrays::W, "W"}},
      of_rates{{&BatchArrays::v_exact, "v_exact"},
               {&BatchArrays::v_approximate, "v_approximate"},
               {&BatchArrays::ratio, "ratio"},
               {&BatchArrays::impulse_compression, "impulse_compression"},
               {&BatchArrays::impulse_total, "impulse_total"}};
  BatchArrays masses{.postures = 10, .q = of.q.data(), .effective_mass = some.data(), .status = status};
  BatchArrays everything = masses, rates = masses;
  everything.p_WC = rates.p_WC = some.data();
  rates.dq = of.dq.data();
  for (const auto& [array, name] : of_everything) everything.*array = some.data();
  for (const auto& [array, name] : of_rates) rates.*array = some.data();

  const auto missing = [&](const BatchArrays& from, BatchOutputs outputs, const Array& which) {
    BatchArrays arrays = from;
    arrays.*which.first = nullptr;
    EXPECT_EQ(says(arrays, outputs), which.second + ": null: is an output");
  };
  const auto surplus = [&](const BatchArrays& from, BatchOutputs outputs, const Array& which) {
    BatchArrays arrays = from;
    arrays.*which.first = some.data();
    EXPECT_EQ(says(arrays, outputs), which.second + ": given: is not an output");
  };
  missing(masses, BatchOutputs::masses, {&BatchArrays::effective_mass, "effective_mass"});
  missing(rates, BatchOutputs::positions, {&BatchArrays::p_WC, "p_WC"});
  surplus(masses, BatchOutputs::masses, {&BatchArrays::p_WC, "p_WC"});
  for (const Array& array : of_everything) {
    missing(everything, BatchOutputs::everything, array);
    surplus(rates, BatchOutputs::positions, array);
  }
  for (const Array& array : of_rates) {
    missing(rates, BatchOutputs::positions, array);
    surplus(masses, BatchOutputs::masses, array);
  }
  BatchArrays none = masses;
  none.q = nullptr;
  EXPECT_EQ(says(none, BatchOutputs::masses), "q: null: must be given");
  none = masses;
  none.status = nullptr;
  EXPECT_EQ(says(none, BatchOutputs::masses), "status: null: is an output");
}

TEST(GpuRefuses, WithoutAGpuAndSaysWhatIsMissing) {
  if (gpu_missing().empty()) GTEST_SKIP() << "there is a GPU";
  const Question of = question(load_robot("panda"), 3);
  try {
    predict_batch_gpu(of.robot, of.point, of.q, of.dq);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "backend: gpu: " + gpu_missing());
  }
}

}  // namespace
}  // namespace thud
