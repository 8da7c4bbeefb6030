#pragma once

/// One arm from the force records of several hits.
///
/// A single record gives the arm's drives with what the model gets wrong in that posture at that speed. Several hits
/// of one arm share the drives, and each has its own wall, start and baseline:
///
///   minimise over the factors   sum over hits of  S_h(factors)/V_h,   S_h minimised over what is the hit's own
///
/// with S_h the sum of squares of elastic_fit.hpp and V_h its mean at the hit's own minimum. Steps are Gauss and
/// Newton's in the logarithms of the factors, what is a hit's own eliminated (Schur complement).
///
/// Intervals are at 95 % and have two parts, added as squares. One is how far the hits disagree: those of one group err
/// alike (same posture and speed), groups independently. Each of C groups is left out in turn (jackknife; one step from
/// the minimum of all), and with x_c the logarithm of a factor by the others this part is
///
///   t_0.975(C - 1) sqrt((C - 1)/C sum over c of (x_c - mean x)^2)
///
/// The other is what the model gets wrong in all hits alike, which no number of hits averages out: 1.96 times the sum
/// over the hits of what the model's error (ElasticFitOptions::model_error) does to x.

#include <thud/conventions.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/elastic_fit.hpp>
#include <thud/export.hpp>
#include <thud/fit.hpp>
#include <thud/record.hpp>
#include <thud/run.hpp>

#include <string>
#include <vector>

namespace THUD_EXPORT thud {

/// One of the hits.
struct ArmHit {
  ElasticArm arm;    // in the hit's posture, with the drives of which a factor of 1 stands
  Record contact;    // its samples, as ElasticIdentification::contact
  ElasticFit alone;  // of that record by itself, with the factors free, converged
  int group = 0;     // hits of one group err alike
};

/// The arm, and each hit with it.
struct ArmFit {
  FitStatus status = FitStatus::not_run;
  std::string message = "fit_arm was not called";
  std::vector<FitParameter> factors;  // "joints.stiffness", ...: 1 is as the drives say. Without three groups there are
                                      // no intervals
  MatrixX correlation;                // of the factors; by the curvature
  std::vector<int> groups;            // of the hits, each once, ascending
  MatrixX without;                    // the factors by all groups but this one, a row for each; NaN where these do not
                                      // fix them
  Drives drives;                      // of the first hit, with the factors
  std::vector<ElasticFit> hits;       // by the arm with these factors; law, start and baseline are the hit's own
};

/// Fits the factors that are free in the hits' own fits, all of one law. Start and baseline are each hit's own: those
/// of the options do not count.
///
/// Throws InputError for no hits, and for fits of different laws, of different factors or that did not converge; and
/// Interrupted if it is stopped. Everything else is a status.
ArmFit fit_arm(const std::vector<ArmHit>& hits, const ElasticFitOptions& options, const RunOptions& run = {});

}  // namespace thud
