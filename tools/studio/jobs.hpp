#pragma once

/// Computations that take longer than a request should.

#include <thud/run.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace thud::cli {

/// Too much is waiting already.
class Busy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How long the work of a kind may take: seconds, or minutes.
enum class JobLength { brief, lengthy };

/// How many work at what: any job, or none but brief ones.
struct JobWorkers {
  std::size_t any = 0, brief = 0;
};

enum class JobState { queued, running, done, failed, cancelled };
std::string to_string(JobState state);

/// What is known of a job.
struct JobReport {
  std::string id, kind;
  JobState state = JobState::queued;
  std::size_t done = 0, total = 0;
  std::string answer;          // JSON, when it is done
  std::exception_ptr failure;  // when it failed
};

/// Jobs of all pages. A few run at a time, the others wait in their order, brief ones not for lengthy ones. A newer job
/// of the same page and kind cancels the older: nobody wants that any more; and so does nobody's asking for it for a
/// while.
class Jobs {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<std::string(const RunOptions& run)>;  // its answer as JSON

  /// So many of each length may wait. A page that is hidden may be allowed to ask once a minute only.
  Jobs(JobWorkers workers, std::size_t queue, std::chrono::milliseconds forgotten_after = std::chrono::seconds(90));
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Its id. Throws Busy.
  std::string start(const std::string& page, const std::string& kind, JobLength length, Work work);

  /// Its report as soon as it has ended, or after the time. Throws std::out_of_range for one that there is not.
  JobReport wait(const std::string& id, std::chrono::milliseconds time);

  /// Of the page: this one, or all of them. Throws std::out_of_range.
  void cancel(const std::string& id);
  void cancel_all(const std::string& page);

 private:
  struct Job;
  void work(bool brief_only);
  void watch();
  void sweep();
  static void end(Job& job, JobState state);

  std::mutex mutex_;
  std::condition_variable work_waits_, job_ended_, closes_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::deque<std::shared_ptr<Job>> queue_;
  std::size_t longest_queue_, started_ = 0;
  std::chrono::milliseconds forgotten_after_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace thud::cli
