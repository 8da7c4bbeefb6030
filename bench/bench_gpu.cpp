// The batch on a GPU: what resident arrays, page-locked and plain ones get, beside what its memory and its bus give.
//
// bench_gpu OUT.json [QUESTION.json]     the second file gets the Panda, postures and their answers, for rivals

#include <thud/batch.hpp>
#include <thud/gpu.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "boxes.hpp"
#include "foundation/parallel_for.hpp"
#include "gpu/batch.hpp"

namespace {

using namespace thud;
using Json = nlohmann::ordered_json;

// Seconds of a call: the median of several after one that is not counted.
double seconds(int times, const std::function<void()>& call) {
  call();
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    all.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::nth_element(all, all.begin() + times / 2);
  return all[static_cast<std::size_t>(times / 2)];
}

// Arrays on the device, or page-locked.
struct Arrays {
  gpu::Device& device;
  bool there;
  BatchArrays batch{};
  std::vector<void*> taken{};

  double* take(Eigen::Index words) {
    const auto bytes = static_cast<std::size_t>(8 * words);
    taken.push_back(there ? device.allocate(bytes) : device.allocate_locked(bytes));
    return static_cast<double*>(taken.back());
  }
  Arrays(gpu::Device& device_, bool there_, const Eigen::MatrixXd& q, bool everything)
      : device(device_), there(there_) {
    const Eigen::Index n = q.rows(), count = q.cols();
    double* const own = take(q.size());
    device.copy(own, q.data(), static_cast<std::size_t>(8 * q.size()), nullptr);
    device.wait(nullptr);
    batch.postures = count;
    batch.q = own;
    batch.effective_mass = take(4 * count);
    batch.status = reinterpret_cast<InertiaStatus*>(take(2 * count));
    if (!everything) return;
    batch.p_WC = take(3 * count), batch.com_W = take(3 * count), batch.Ic_W = take(9 * count);
    batch.J = take(6 * n * count), batch.A_G = take(6 * n * count), batch.M = take(n * n * count);
    batch.W = take(36 * count);
  }
  Arrays(const Arrays&) = delete;
  ~Arrays() {
    for (void* each : taken) device.release(each);
  }
};

double bytes_in(Eigen::Index n) {
  return 8.0 * static_cast<double>(n);
}
double bytes_out(Eigen::Index n, bool everything) {
  const auto joints = static_cast<double>(n);
  return 48 + (everything ? 8 * (51 + 12 * joints + joints * joints) : 0);
}

// The largest relative difference to the processor, of masses but the algebraic one (which inverts an ill-conditioned
// matrix), and of that.
std::pair<double, double> agreement(const Robot& robot, const ContactPoint& point, const Eigen::MatrixXd& q) {
  const MatrixX none(robot.size(), 0), some = q.leftCols(std::min<Eigen::Index>(q.cols(), 20000));
  const Batch here = predict_batch(robot, point, some, none), there = predict_batch_gpu(robot, point, some, none);
  std::pair worst{0.0, 0.0};
  for (const InertiaModel model : all_inertia_models)
    for (Eigen::Index i = 0; i < some.cols(); ++i) {
      const double a = here.effective_mass[model][i], b = there.effective_mass[model][i];
      double& which = model == InertiaModel::algebraic ? worst.second : worst.first;
      if (std::isnan(a) != std::isnan(b)) which = HUGE_VAL;
      if (!std::isnan(a)) which = std::max(which, std::abs(a / b - 1));
    }
  return worst;
}

Json measure(gpu::Device& device, const Robot& robot, const ContactPoint& point) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi);
  const Eigen::Index n = robot.size(), many = n > 16 ? 1 << 20 : 1 << 24, fewer = many / 4;
  Eigen::MatrixXd q(n, 1 << 20);
  for (double& each : q.reshaped()) each = angle(random);
  const auto [masses, algebraic] = agreement(robot, point, q);
  Json row{{"joints", n}, {"difference", masses}, {"difference_algebraic", algebraic}};
  const auto all = [&](Eigen::Index count) {
    return Eigen::MatrixXd(q.replicate(1, (count + q.cols() - 1) / q.cols()).leftCols(count));
  };
  const auto rate = [&](bool there, bool everything, Eigen::Index count) {
    const Arrays arrays(device, there, all(count), everything);
    const BatchOptions options{.outputs = everything ? BatchOutputs::everything : BatchOutputs::masses};
    return static_cast<double>(count) / seconds(5, [&] { predict_batch_gpu(robot, point, arrays.batch, options); });
  };
  row["masses"] = rate(true, false, many);
  row["everything"] = rate(true, true, fewer);
  row["bytes_masses"] = {bytes_in(n), bytes_out(n, false)};
  row["bytes_everything"] = {bytes_in(n), bytes_out(n, true)};
  if (n == 7) {
    row["locked_masses"] = rate(false, false, many);
    row["locked_everything"] = rate(false, true, fewer / 2);
    Batch batch;
    const MatrixX none(n, 0), plain = all(many), part = all(fewer / 2);
    const auto staged = [&](const MatrixX& of, BatchOutputs outputs) {
      return static_cast<double>(of.cols()) /
             seconds(3, [&] { predict_batch_gpu(robot, point, of, none, {.outputs = outputs}, batch); });
    };
    row["plain_masses"] = staged(plain, BatchOutputs::masses);
    row["plain_everything"] = staged(part, BatchOutputs::everything);
    const auto processor = [&](BatchOutputs outputs) {
      const MatrixX of = q.leftCols(1 << 19);
      return static_cast<double>(of.cols()) /
             seconds(3, [&] { predict_batch(robot, point, of, none, {.outputs = outputs}, batch); });
    };
    row["processor_masses"] = processor(BatchOutputs::masses);
    row["processor_everything"] = processor(BatchOutputs::everything);
  }
  return row;
}

// Bytes a second: of its memory, read and written; of the bus one way, the other, and both; and what all threads of the
// host copy from plain to page-locked memory, each byte counted once.
Json ceilings(gpu::Device& device) {
  constexpr std::size_t bytes = 2UL << 30U;
  void *const a = device.allocate(bytes), *const b = device.allocate(bytes),
              *const here = device.allocate_locked(bytes), *const back = device.allocate_locked(bytes);
  const auto first = device.make_stream(), second = device.make_stream();
  const auto gives = [&](double amount, const std::function<void()>& call) { return amount / seconds(5, call); };
  constexpr auto size = static_cast<double>(bytes);
  Json out;
  out["memory"] = gives(2 * size, [&] { device.copy(a, b, bytes, first), device.wait(first); });
  out["bus_there"] = gives(size, [&] { device.copy(a, here, bytes, first), device.wait(first); });
  out["bus_back"] = gives(size, [&] { device.copy(back, b, bytes, first), device.wait(first); });
  out["bus_both"] = gives(2 * size, [&] {
    device.copy(a, here, bytes, first), device.copy(back, b, bytes, second);
    device.wait(first), device.wait(second);
  });
  std::vector<std::byte> plain(bytes);
  out["host_copy"] = gives(size, [&] {
    constexpr std::size_t part = 4U << 20U;
    foundation::parallel_for(
        bytes / part, 0,
        [&](std::size_t i) {
          std::memcpy(static_cast<std::byte*>(here) + i * part, plain.data() + i * part, part);
          return i;
        },
        [](std::size_t, std::size_t) {}, nullptr);
  });
  for (void* each : {a, b, here, back}) device.release(each);
  return out;
}

void write_question(const char* file, const Robot& robot, const ContactPoint& point) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi);
  const Eigen::Index n = robot.size();
  MatrixX q(n, 4096);
  for (double& each : q.reshaped()) each = angle(random);
  const Batch batch = predict_batch(robot, point, q, MatrixX(n, 0), {.outputs = BatchOutputs::everything});
  const auto rows = [](const Eigen::MatrixXd& matrix) {
    Json out = Json::array();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const Eigen::VectorXd row = matrix.row(i);
      out.push_back(std::vector<double>(row.begin(), row.end()));
    }
    return out;
  };
  const auto numbers = [](const Vector3& v) { return std::vector<double>(v.begin(), v.end()); };
  Json joints = Json::array();
  for (std::size_t i = 0; i < robot.joints().size(); ++i) {
    const Joint& joint = robot.joints()[i];
    const BodyInertia& body = robot.bodies()[i];
    joints.push_back({{"R", rows(joint.R_PJ)},
                      {"p", numbers(joint.p_PJ)},
                      {"axis", numbers(joint.axis)},
                      {"rotor", joint.rotor_inertia},
                      {"mass", body.mass},
                      {"com", numbers(body.com)},
                      {"I", rows(body.inertia)}});
  }
  const Frame& frame = robot.frame(point.frame);
  Json J = Json::array(), M = Json::array();
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    J.push_back(rows(batch.J.col(i).reshaped(6, n)));
    M.push_back(rows(batch.M.col(i).reshaped(n, n)));
  }
  std::ofstream(file) << Json{{"joints", joints},
                              {"offset", numbers(frame.p_JF + frame.R_JF * point.offset)},
                              {"normal", numbers(point.normal_W)},
                              {"q", rows(q.transpose())},
                              {"mass", rows(batch.effective_mass.all().transpose())},
                              {"M", M},
                              {"J", J}};
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fputs("bench_gpu OUT.json [QUESTION.json]\n", stderr), 2;
  if (const std::string why = gpu_missing(); !why.empty()) return std::fprintf(stderr, "gpu: %s\n", why.c_str()), 2;
  gpu::Device& device = gpu::device();
  Json out{{"device", device.name()}, {"ceilings", ceilings(device)}};
  const ContactPoint foot{"panda_foot", {0, 0, 0.0223}, {-1, 0, 0}};
  const Robot panda = load_robot("panda");
  out["arms"]["panda"] = measure(device, panda, foot);
  for (const auto& [joints, serial] :
       {std::pair{7, true}, {6, true}, {8, false}, {12, false}, {16, false}, {24, false}}) {
    const Robot robot = boxes(joints, serial);
    const std::string name = std::string(serial ? "chain" : "tree") + " of " + std::to_string(joints);
    out["arms"][name] = measure(device, robot, {"link" + std::to_string(joints - 1), {0.1, 0, 0.1}, {0, 0.6, 0.8}});
    std::printf("%s %s\n", name.c_str(), out["arms"][name].dump().c_str());
  }
  std::ofstream(arguments[1]) << out.dump(2) << "\n";
  if (count > 2) write_question(arguments[2], panda, foot);
  std::printf("%s\n", out.dump(1).c_str());
}
