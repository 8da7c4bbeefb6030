#include "jobs.hpp"

#include <algorithm>
#include <utility>

namespace thud::cli {
namespace {

constexpr auto kept_for = std::chrono::seconds(60);

}  // namespace

std::string to_string(JobState state) {
  switch (state) {
    case JobState::queued:
      return "queued";
    case JobState::running:
      return "running";
    case JobState::done:
      return "done";
    case JobState::failed:
      return "failed";
    case JobState::cancelled:
      return "cancelled";
  }
  return "";
}

struct Jobs::Job {
  std::string id, page, kind;
  JobLength length = JobLength::lengthy;
  Work work;
  JobState state = JobState::queued;
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> done = 0, total = 0;
  std::string answer;
  std::exception_ptr failure;
  Clock::time_point asked = Clock::now();

  bool ended() const { return state != JobState::queued && state != JobState::running; }
};

Jobs::Jobs(JobWorkers workers, std::size_t queue, std::chrono::milliseconds forgotten_after)
    : longest_queue_(queue), forgotten_after_(forgotten_after) {
  for (std::size_t i = 0; i < workers.any; ++i) threads_.emplace_back([this] { work(false); });
  for (std::size_t i = 0; i < workers.brief; ++i) threads_.emplace_back([this] { work(true); });
  threads_.emplace_back([this] { watch(); });
}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (auto& [id, job] : jobs_) job->stop = true;
  }
  work_waits_.notify_all();
  closes_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Jobs::end(Job& job, JobState state) {
  if (job.ended()) return;
  job.state = state;
  job.work = nullptr;
}

// Forgets what nobody asks for: work is stopped, an answer is dropped.
void Jobs::sweep() {
  const auto now = Clock::now();
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    Job& job = *at->second;
    if (!job.ended() && now - job.asked > forgotten_after_) {
      job.stop = true;
      end(job, JobState::cancelled);
    }
    at = job.ended() && now - job.asked > kept_for ? jobs_.erase(at) : std::next(at);
  }
  std::erase_if(queue_, [](const auto& job) { return job->ended(); });
}

std::string Jobs::start(const std::string& page, const std::string& kind, JobLength length, Work work) {
  const std::lock_guard lock(mutex_);
  sweep();
  for (auto& [id, job] : jobs_)
    if (job->page == page && job->kind == kind && !job->ended()) {
      job->stop = true;
      end(*job, JobState::cancelled);
    }
  std::erase_if(queue_, [](const auto& job) { return job->ended(); });
  const auto waiting =
      std::count_if(queue_.begin(), queue_.end(), [&](const auto& job) { return job->length == length; });
  if (static_cast<std::size_t>(waiting) >= longest_queue_)
    throw Busy("jobs: " + std::to_string(waiting) + ": too many are waiting");
  auto job = std::make_shared<Job>();
  job->id = std::string("j").append(std::to_string(++started_));
  job->page = page;
  job->kind = kind;
  job->length = length;
  job->work = std::move(work);
  jobs_[job->id] = job;
  queue_.push_back(job);
  work_waits_.notify_all();  // not all of them may take it
  job_ended_.notify_all();
  return job->id;
}

// All workers may be at work that nobody asks for: another thread forgets it.
void Jobs::watch() {
  std::unique_lock lock(mutex_);
  while (!closes_.wait_for(lock, forgotten_after_ / 10, [&] { return closing_; })) sweep();
}

void Jobs::work(bool brief_only) {
  const auto next = [&] {
    return std::find_if(queue_.begin(), queue_.end(),
                        [&](const auto& job) { return !brief_only || job->length == JobLength::brief; });
  };
  std::unique_lock lock(mutex_);
  for (;;) {
    work_waits_.wait(lock, [&] { return closing_ || next() != queue_.end(); });
    if (closing_) return;
    sweep();
    const auto at = next();
    if (at == queue_.end()) continue;
    const std::shared_ptr<Job> job = *at;
    queue_.erase(at);
    job->state = JobState::running;
    const Work task = std::move(job->work);
    lock.unlock();
    const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    const RunOptions run{.jobs = threads,
                         .progress = [&job](std::size_t done, std::size_t all) { job->done = done, job->total = all; },
                         .stop = &job->stop};
    std::string answer;
    std::exception_ptr failure;
    try {
      answer = task(run);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!job->ended()) {
      job->answer = std::move(answer);
      job->failure = failure;
      end(*job, job->stop ? JobState::cancelled : failure ? JobState::failed : JobState::done);
    }
    job_ended_.notify_all();
  }
}

JobReport Jobs::wait(const std::string& id, std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Job> job = jobs_.at(id);
  job->asked = Clock::now();
  job_ended_.wait_for(lock, time, [&] { return job->ended(); });
  job->asked = Clock::now();
  return {job->id, job->kind, job->state, job->done, job->total, job->answer, job->failure};
}

void Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  Job& job = *jobs_.at(id);
  job.stop = true;
  end(job, JobState::cancelled);
  job_ended_.notify_all();
}

void Jobs::cancel_all(const std::string& page) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, job] : jobs_)
    if (job->page == page && !job->ended()) {
      job->stop = true;
      end(*job, JobState::cancelled);
    }
  job_ended_.notify_all();
}

}  // namespace thud::cli
