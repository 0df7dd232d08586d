//===- ThreadsTest.cpp - Threads that share the steps of a run ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each part is done once, whatever becomes of the workers.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/Team.h"
#include "RuntimeFixture.h"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace nacre::testing;
using namespace std::chrono_literals;

using Body = std::function<void(uint64_t)>;

static void callBody(void *body, uint64_t index) {
  (*static_cast<Body *>(body))(index);
}

namespace {

/// A team without workers, but for the threads of a test that help.
class Team : public ::testing::Test {
protected:
  Team() { EXPECT_TRUE(nacre_team_try_acquire(team)); }
  ~Team() override { nacre_team_delete(team); }

  void share(uint64_t count, Body body, unsigned threads = 4) {
    nacre_team_share(team, threads, callBody, callBody, &body, count);
  }

  /// Shares steps until a worker takes part, or for ten seconds: on a busy
  /// machine the team may not share for a while.
  bool isHelped() {
    auto caller = std::this_thread::get_id();
    auto deadline = std::chrono::steady_clock::now() + 10s;
    std::atomic<bool> hasHelped = false;
    while (!hasHelped && std::chrono::steady_clock::now() < deadline) {
      share(
          2,
          [&](uint64_t) {
            hasHelped = hasHelped || std::this_thread::get_id() != caller;
            std::this_thread::sleep_for(1ms);
          },
          2);
    }
    return hasHelped;
  }

  nacre_team *team = nacre_team_new(4);
};

/// Counts how often each part is done.
struct Counts {
  explicit Counts(uint64_t size) : of(size) {}
  void expectOne() const {
    for (const std::atomic<int> &count : of) {
      EXPECT_EQ(count.load(), 1);
    }
  }
  std::vector<std::atomic<int>> of;
};

TEST_F(Team, Share_WorkersThatNeverRun_CallerDoesAllParts) {
  for (uint64_t count : {0, 1, 2, 3, 4, 5, 7, 100}) {
    Counts counts(count);
    share(count, [&](uint64_t i) { ++counts.of[i]; });
    counts.expectOne();
  }
}

TEST_F(Team, Share_MorePartsThanARangeHasGroups_DoesEachOnce) {
  constexpr uint64_t kCount = 100003;
  Counts counts(kCount);
  share(kCount, [&](uint64_t i) { ++counts.of[i]; });
  counts.expectOne();
}

TEST_F(Team, Share_WorkersOfItsOwn_DoEachPartOnceInEveryStep) {
  nacre_team_start(team, 4);
  for (uint64_t step = 0; step < 2000; ++step) {
    uint64_t count = 1 + step % 9;
    Counts counts(count);
    share(count, [&](uint64_t i) { ++counts.of[i]; });
    counts.expectOne();
  }
}

TEST_F(Team, Share_WorkersThatSlept_WorkAgain) {
  nacre_team_start(team, 2);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(10ms);
    EXPECT_TRUE(isHelped());
  }
}

TEST_F(Team, Share_WorkerThatComesLate_FindsNothing) {
  share(4, [](uint64_t) {});
  EXPECT_EQ(nacre_team_help(team, 1), 0u);
}

TEST_F(Team, Share_WorkerStoppedBetweenParts_IsNotWaitedFor) {
  // It takes one part of the first step and none of those behind it.
  std::atomic<bool> mayGo = false;
  std::thread worker([&] {
    while (nacre_team_help(team, 1) == 0) {
    }
    while (!mayGo) {
      std::this_thread::yield();
    }
  });
  std::atomic<bool> hasHelped = false;
  auto caller = std::this_thread::get_id();
  Counts first(2);
  share(
      2,
      [&](uint64_t i) {
        hasHelped = hasHelped || std::this_thread::get_id() != caller;
        while (!hasHelped) {
          std::this_thread::yield();
        }
        ++first.of[i];
      },
      2);
  first.expectOne();
  for (int step = 0; step < 100; ++step) {
    Counts counts(4);
    share(4, [&](uint64_t i) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      ++counts.of[i];
    });
    counts.expectOne();
  }
  mayGo = true;
  worker.join();
}

TEST_F(Team, Share_WorkerStoppedInAPart_IsWaitedForAndThenLeftAlone) {
  auto caller = std::this_thread::get_id();
  std::atomic<bool> hasBegun = false, isOver = false;
  std::thread worker([&] {
    while (!isOver) {
      nacre_team_help(team, 1);
      std::this_thread::yield();
    }
  });
  std::atomic<int> numDone = 0;
  share(
      2,
      [&](uint64_t) {
        if (std::this_thread::get_id() != caller) {
          hasBegun = true;
          std::this_thread::sleep_for(50ms);
        }
        while (!hasBegun) {
          std::this_thread::yield();
        }
        ++numDone;
      },
      2);
  EXPECT_EQ(numDone, 2);
  // What that cost is more than steps may lose.
  for (int step = 0; step < 100; ++step) {
    share(
        2, [&](uint64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); }, 2);
  }
  isOver = true;
  worker.join();
}

TEST_F(Team, Share_CallerStoppedInItsParts_MostlyWorksAlone) {
  nacre_team_start(team, 2);
  auto caller = std::this_thread::get_id();
  constexpr int kSteps = 100;
  std::atomic<int> numHelped = 0;
  for (int step = 0; step < kSteps; ++step) {
    share(
        2,
        [&](uint64_t i) {
          numHelped += std::this_thread::get_id() != caller;
          if (i == 0) {
            std::this_thread::sleep_for(5ms);
          }
        },
        2);
  }
  EXPECT_LT(numHelped, kSteps / 2);
}

TEST_F(Team, Share_LossThatGainsMakeUpFor_GoesOn) {
  nacre_team_account(team, 100'000'000);
  nacre_team_account(team, -3'000'000);
  nacre_team_account(team, 2'500'000);
  nacre_team_account(team, -3'000'000);
  nacre_team_start(team, 2);
  std::atomic<int> numBegun = 0;
  auto deadline = std::chrono::steady_clock::now() + 10s;
  share(
      2,
      [&](uint64_t) {
        ++numBegun;
        while (numBegun < 2 && std::chrono::steady_clock::now() < deadline) {
          std::this_thread::yield();
        }
        EXPECT_EQ(numBegun, 2); // and not one after the other
      },
      2);
  EXPECT_EQ(numBegun, 2);
}

TEST_F(Team, Share_AfterALossIsPaidOff_WorkersTakePartsAgain) {
  nacre_team_start(team, 2);
  nacre_team_account(team, -10'000'000); // of which a start allows 4
  auto caller = std::this_thread::get_id();
  share(2, [&](uint64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); }, 2);
  EXPECT_TRUE(isHelped());
}

TEST_F(Team, Share_CallerThatRoundsUp_SoDoWorkers) {
  nacre_team_start(team, 4);
  int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  std::atomic<int> numOthers = 0;
  for (int step = 0; step < 200; ++step) {
    share(4, [&](uint64_t) {
      volatile float one = 1, little = 1e-10F;
      numOthers += one + little == one;
      std::this_thread::sleep_for(10us);
    });
  }
  std::fesetround(before);
  EXPECT_EQ(numOthers, 0);
}

} // namespace

/// What the compiled code calls.
static void share(uint64_t count, Body body, uint32_t threads = 4) {
  nacre_share(callBody, callBody, &body, count, threads);
}

TEST(Threads, Share_SeveralCallers_EachHasItsParts) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([] {
      for (int step = 0; step < 500; ++step) {
        Counts counts(4);
        share(4, [&](uint64_t i) { ++counts.of[i]; });
        counts.expectOne();
      }
    });
  }
  for (std::thread &caller : callers) {
    caller.join();
  }
}

TEST(Threads, Share_InAPart_IsDoneThere) {
  Counts counts(4 * 3);
  share(4, [&](uint64_t i) {
    share(3, [&](uint64_t j) { ++counts.of[3 * i + j]; });
  });
  counts.expectOne();
}

TEST(Threads, Share_InAForkedProcess_HasThreadsOfItsOwn) {
  share(4, [](uint64_t) {});
  pid_t child = fork();
  if (child == 0) {
    std::atomic<int> numDone = 0;
    for (int step = 0; step < 100; ++step) {
      share(4, [&](uint64_t) { ++numDone; });
    }
    _exit(numDone == 400 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(Runtime, SharedParts_OfARun_AreMeasuredAsTheStepThatTheyAre) {
  static void (*found)(void *, uint64_t) = nullptr;
  auto share = [](void (*step)(void *, uint64_t),
                  void (*part)(void *, uint64_t), void *frame, uint64_t count,
                  uint32_t) {
    found = step;
    for (uint64_t i = 0; i < count; ++i) {
      part(frame, i);
    }
  };
  int numDone = 0;
  Body body = [&](uint64_t) { ++numDone; };
  EXPECT_EQ(run([&] { nacre_run_share(share, callBody, &body, 3, 2); }),
            NACRE_OK);
  EXPECT_EQ(found, callBody);
  EXPECT_EQ(numDone, 3);
}

TEST_F(Runtime, SharedParts_OneFails_RunFailsAfterAll) {
  std::atomic<int> numDone = 0;
  Body body = [&](uint64_t i) {
    nacre_alloc(64);
    if (i == 2) {
      nacre_fail("part 2 fails");
    }
    ++numDone;
  };
  EXPECT_EQ(run([&] { nacre_run_share(nacre_share, callBody, &body, 3, 1); }),
            NACRE_FAILED);
  EXPECT_EQ(message, "part 2 fails");
  EXPECT_EQ(numDone, 2);
}
