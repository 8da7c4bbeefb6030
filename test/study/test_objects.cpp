// Objects that are hit: their motion found again, and predictions beside it; datasets without force records.

#include <thud/dynamics.hpp>
#include <thud/file.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/report.hpp>
#include <thud/study.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <filesystem>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "signals.hpp"
#include "study/objects.hpp"
#include "support.hpp"

namespace thud {
namespace {

constexpr double touch = 0.2013, speed = 0.5, slowing = 2.0, spin = -1.5;  // [s], [m/s], [m/s^2], [rad/s]

// A box that lies at (0.7, 0.1, 0.3), is hit along +x and slides away, turning; no motion before `touch`.
ObjectLog sliding_box(double noise) {
  signals::Normal normal(5);
  ObjectLog box;
  box.mass = 0.5;
  box.inertia = Vector3(2e-3, 3e-3, 4e-3).asDiagonal();
  box.time = VectorX::LinSpaced(80, 0, 79 * 0.005);
  box.position = MatrixX::Zero(80, 3);
  box.orientation = MatrixX::Zero(80, 4);
  for (Eigen::Index i = 0; i < 80; ++i) {
    const double since = std::max(box.time[i] - touch, 0.0);
    const double t = std::min(since, speed / slowing), way = speed * t - slowing * t * t / 2;
    box.position.row(i) << 0.7 + way + noise * normal(), 0.1 + 0.2 * way + noise * normal(), 0.3 + noise * normal();
    const Eigen::Quaterniond q(
        Eigen::AngleAxisd(0.3 + spin * t - spin / speed * slowing * t * t / 2, Vector3::UnitZ()));
    box.orientation.row(i) << q.w(), q.x(), q.y(), q.z();
  }
  return box;
}

TEST(Objects, TheirMotionIsFoundAgain) {
  std::string why;
  const auto exact = studying::hit_motion(sliding_box(0), Vector3::UnitX(), why);
  ASSERT_TRUE(exact) << why;
  EXPECT_NEAR(exact->touch_time, touch, 1e-9);
  EXPECT_EQ(exact->rest_time, 0.2);
  EXPECT_TRUE(exact->velocity.isApprox(Vector3(speed, 0.2 * speed, 0), 1e-9));
  EXPECT_NEAR((*exact->angular_velocity)[2], spin, 1e-9);
  EXPECT_TRUE(exact->position.isApprox(Vector3(0.7, 0.1, 0.3), 1e-12));
  const auto noisy = studying::hit_motion(sliding_box(1e-4), Vector3::UnitX(), why);
  ASSERT_TRUE(noisy) << why;
  EXPECT_NEAR(noisy->velocity[0], speed, 0.02 * speed);  // four standard deviations of a parabola over 0.1 s
  EXPECT_NEAR(noisy->touch_time, touch, 2e-3);
}

TEST(Objects, ASecondHitDoesNotCount) {
  std::string why;
  ObjectLog box = sliding_box(2e-5);
  for (Eigen::Index i = 0; i < box.time.size(); ++i)  // pushed on from 50 ms after the first hit
    if (const double since = box.time[i] - touch - 0.05; since > 0) box.position(i, 0) += 0.2 * since;
  const auto hit = studying::hit_motion(box, Vector3::UnitX(), why);
  ASSERT_TRUE(hit) << why;
  EXPECT_NEAR(hit->velocity[0], speed, 0.03 * speed);
}

TEST(Objects, AHeavyObjectStirsBeforeItIsSeenToMove) {
  // pushed over 9 ms from 0.2 s on: its first sample in motion is five standard deviations from rest
  constexpr double push = 9e-3, touched = 0.2, left = 0.25, noise = 1e-4;
  signals::Normal normal(3);
  ObjectLog box = sliding_box(0);
  for (Eigen::Index i = 0; i < box.time.size(); ++i) {
    const double since = std::max(box.time[i] - touched, 0.0), t = std::max(since - push, 0.0);
    const double pushed = std::min(since, push);
    const double way = left / push * pushed * pushed / 2 + left * t - t * t;  // slowed by 2 m/s^2
    box.position.row(i) << 0.7 + way + noise * normal(), 0.1, 0.3;
  }
  std::string why;
  const auto hit = studying::hit_motion(box, Vector3::UnitX(), why);
  ASSERT_TRUE(hit) << why;
  EXPECT_LE(hit->rest_time, touched + 1e-9);
  // at the touch, so with what the floor took off during the push
  EXPECT_NEAR(hit->velocity[0], left + 2 * push, 0.06 * left);
  // one that is caught up by the robot 25 ms later has no speed of its own to be read
  for (Eigen::Index i = 0; i < box.time.size(); ++i)
    if (const double since = box.time[i] - touched - push - 0.025; since > 0)
      box.position(i, 0) += since * since + 0.06 * since;
  const auto caught = studying::hit_motion(box, Vector3::UnitX(), why);
  if (caught)
    EXPECT_NEAR(caught->velocity[0], left + 2 * push, 0.1 * left);
  else
    EXPECT_EQ(why.substr(0, 45), "the object's speed is uncertain by more than ");
}

TEST(Objects, AMotionThatCannotBeReadSaysWhy) {
  std::string why;
  EXPECT_FALSE(studying::hit_motion(sliding_box(0), -Vector3::UnitX(), why));
  EXPECT_EQ(why, "the object does not move away");
  ObjectLog cut = sliding_box(0);
  cut.time = VectorX(cut.time.segment(41, 30));
  cut.position = MatrixX(cut.position.middleRows(41, 30));
  cut.orientation = MatrixX();
  EXPECT_FALSE(studying::hit_motion(cut, Vector3::UnitX(), why));
  EXPECT_EQ(why, "the object is not at rest before the hit");
  cut = sliding_box(0);
  cut.time = VectorX(cut.time.head(44));
  cut.position = MatrixX(cut.position.topRows(44));
  EXPECT_FALSE(studying::hit_motion(cut, Vector3::UnitX(), why));
  EXPECT_EQ(why, "the object is not followed for long enough after the hit");
  EXPECT_FALSE(studying::hit_motion(sliding_box(2e-3), Vector3::UnitX(), why));
  EXPECT_EQ(why.substr(0, 45), "the object's speed is uncertain by more than ");
}

// Two trials of a Panda without a force record: a box with joint rates, and joint rates alone.
Dataset without_forces() {
  const Robot panda = load_robot("panda");
  const VectorX q = test::paper_configuration(0);
  Dataset dataset;
  dataset.header.robot = "panda";
  dataset.header.urdf = urdf_text("panda");
  dataset.header.point = test::paper_contact();
  dataset.header.configurations = {{"one", q}};
  dataset.header.plan = {"box", "joints"};
  const ContactDynamics dynamics = contact_dynamics(panda, dataset.header.point, q);
  const VectorX dq = approach(dynamics, 0.4).dq;
  Trial trial;
  trial.name = "box";
  trial.configuration = "one";
  trial.speed = 0.4;
  trial.joints.time = VectorX::LinSpaced(11, 0.19, 0.20);
  trial.joints.position = (trial.joints.time.array() - touch).matrix() * dq.transpose();
  trial.joints.position.rowwise() += q.transpose();
  trial.joints.velocity = VectorX::Ones(11) * dq.transpose();
  trial.object = sliding_box(0);
  trial.object.position.rowwise() += (dynamics.p_WC + Vector3(0.1, 0.02, 0) - Vector3(0.7, 0.1, 0.3)).transpose();
  dataset.trials.push_back(trial);
  trial.name = "joints";
  trial.object = {};
  trial.repeat = 2;
  dataset.trials.push_back(trial);
  return dataset;
}

TEST(Objects, AStudyWithoutForcesSaysWhatItCan) {
  const Dataset dataset = without_forces();
  const Study found = study(dataset, {}, {.friction = 0.4, .object_restitution = 0.3});
  EXPECT_EQ(found.trials[0].status, TrialStatus::no_force);
  for (const auto& verdict : found.verdicts) {
    EXPECT_EQ(verdict.judgement, Judgement::not_testable) << verdict.claim;
    EXPECT_EQ(verdict.why, "no trial has a force record") << verdict.claim;
  }
  ASSERT_TRUE(found.objects);
  ASSERT_EQ(found.objects->trials.size(), 1U);
  const ObjectStudy& box = found.objects->trials[0];
  EXPECT_EQ(box.message, "");
  EXPECT_NEAR(box.approach, 0.4, 1e-3);  // at the last sample at rest, 1.3 ms before the touch
  EXPECT_NEAR(box.speed, speed, 1e-6);
  EXPECT_NEAR(box.spin, spin, 1e-6);
  EXPECT_NEAR(box.angle, std::atan(0.2), 1e-6);

  // by the library's own function, with the box where it lay and turned as it was
  const ContactDynamics dynamics =
      contact_dynamics(load_robot("panda"), dataset.header.point, test::paper_configuration(0));
  const Matrix3 R = Eigen::AngleAxisd(0.3, Vector3::UnitZ()).toRotationMatrix();
  const Object object{.mass = 0.5,
                      .inertia_W = R * dataset.trials[0].object.inertia * R.transpose(),
                      .com_W = dynamics.p_WC + Vector3(0.1, 0.02, 0)};
  const ImpactPrediction expected =
      predict_impact(dynamics, approach(dynamics, 0.4).dq, {.friction = 0.4, .restitution = 0.3, .object = object});
  ASSERT_EQ(box.predictions.size(), all_inertia_models.size());
  for (std::size_t i = 0; i < all_inertia_models.size(); ++i) {
    const ModelImpact& model = expected[all_inertia_models[i]];
    EXPECT_EQ(box.predictions[i].model, to_string(all_inertia_models[i]));
    if (!model.impact.exists()) {
      EXPECT_TRUE(std::isnan(box.predictions[i].speed));
      continue;
    }
    EXPECT_NEAR(box.predictions[i].speed, model.object.velocity[0], 1e-4);
    EXPECT_NEAR(box.predictions[i].spin, model.object.angular_velocity[2], 1e-3);
  }
  EXPECT_EQ(found.objects->models.size(), all_inertia_models.size());

  const std::string results = results_json(found, "a.h5"), table = objects_csv(found);
  EXPECT_NE(results.find("\"objects\":{\"contact\":\"as given\""), std::string::npos);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
  EXPECT_NE(results.find("it has no force record"), std::string::npos);
}

TEST(Objects, TheirTableGoesWithThem) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "thud_objects";
  const Dataset dataset = without_forces();
  EXPECT_EQ(write_report(study(dataset), "a.h5", folder, {}, false).tables.size(), 5U);
  EXPECT_TRUE(std::filesystem::exists(folder / "objects.csv"));
  Dataset joints = dataset;
  joints.trials.erase(joints.trials.begin());
  EXPECT_EQ(write_report(study(joints), "b.h5", folder, {}, false).tables.size(), 4U);
  EXPECT_FALSE(std::filesystem::exists(folder / "objects.csv"));
  write_file((folder / "objects.csv").string(), "trial,mine\n");  // not ours to remove
  write_report(study(joints), "b.h5", folder, {}, false);
  EXPECT_TRUE(std::filesystem::exists(folder / "objects.csv"));
  std::filesystem::remove_all(folder);
}

TEST(Objects, WithoutInertiaOrOrientationThereIsNoSpin) {
  Dataset dataset = without_forces();
  dataset.trials[0].object.inertia.setZero();
  dataset.trials[0].object.orientation = MatrixX();
  const Study found = study(dataset);
  const ObjectStudy& box = found.objects->trials[0];
  EXPECT_TRUE(std::isnan(box.spin));
  EXPECT_TRUE(std::isnan(box.predictions[1].spin));
  EXPECT_GT(box.predictions[1].speed, 0);
  EXPECT_EQ(box.restitution, found.material_restitution);
  EXPECT_EQ(box.friction, 0);
}

TEST(Objects, JointsAloneLeaveEverythingOpen) {
  Dataset dataset = without_forces();
  dataset.trials.erase(dataset.trials.begin());
  const Study found = study(dataset);
  EXPECT_FALSE(found.objects);
  EXPECT_EQ(found.verdicts[0].why, "no trial has a force record");
  EXPECT_NE(results_json(found, "a.h5").find("\"objects\":null"), std::string::npos);
}

}  // namespace
}  // namespace thud
