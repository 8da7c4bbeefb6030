#pragma once

/// All of thud, in layer order: each header uses only those above it. The last ones belong to components that may not
/// be installed.

// clang-format off
#include <thud/export.hpp>
#include <thud/error.hpp>
#include <thud/warning.hpp>
#include <thud/run.hpp>
#include <thud/conventions.hpp>
#include <thud/spread.hpp>
#include <thud/file.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>
#include <thud/dynamics.hpp>
#include <thud/lagrange.hpp>
#include <thud/inertia.hpp>
#include <thud/impulse.hpp>
#include <thud/batch.hpp>
#include <thud/gpu.hpp>
#include <thud/impact.hpp>
#include <thud/object.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impact_batch.hpp>
#include <thud/contact.hpp>
#include <thud/profile.hpp>
#include <thud/translate.hpp>
#include <thud/drives.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/regime.hpp>
#include <thud/limit.hpp>
#include <thud/map.hpp>
#include <thud/aim.hpp>
#include <thud/reach.hpp>
#include <thud/record.hpp>
#include <thud/window.hpp>
#include <thud/fit.hpp>
#include <thud/identify.hpp>
#include <thud/residuals.hpp>
#include <thud/fit_band.hpp>
#include <thud/elastic_fit.hpp>
#include <thud/arm_fit.hpp>
#include <thud/detect.hpp>
#if __has_include(<thud/dataset.hpp>)
#include <thud/drives_file.hpp>
#include <thud/limits_file.hpp>
#include <thud/dataset.hpp>
#include <thud/table.hpp>
#endif
#if __has_include(<thud/lab.hpp>)
#include <thud/mjcf.hpp>
#include <thud/campaign.hpp>
#include <thud/lab.hpp>
#endif
#if __has_include(<thud/study.hpp>)
#include <thud/study.hpp>
#endif
#if __has_include(<thud/sweep.hpp>)
#include <thud/sweep.hpp>
#endif
#if __has_include(<thud/report.hpp>)
#include <thud/report.hpp>
#include <thud/map_report.hpp>
#include <thud/sweep_report.hpp>
#endif
// clang-format on
