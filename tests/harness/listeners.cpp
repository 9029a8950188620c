#include <harness/listeners.hpp>

#include <unistd.h>

#include <cstdio>

namespace weft_test {

namespace {

std::string full_name(testing::TestInfo const& test) {
    return std::string(test.test_suite_name()) + "." + test.name();
}

/// Prints in one write, so that the lines of ranks do not mix.
void print(int descriptor, std::string const& text) {
    (void)!write(descriptor, text.data(), text.size());
}

} // namespace

void printer::OnTestStart(testing::TestInfo const& test) {
    test_ = full_name(test);
    seed_used_ = false;
}

void printer::OnTestPartResult(testing::TestPartResult const& result) {
    if (!result.failed() || muted_) return;
    std::string where = result.file_name() != nullptr ? result.file_name() : "unknown file";
    if (result.line_number() >= 0) where += ":" + std::to_string(result.line_number());
    print(STDERR_FILENO, "rank " + std::to_string(rank()) + " of " + std::to_string(size()) + ": " + where +
                             ": " + test_ + " failed\n" + result.message() + "\n" +
                             (seed_used_ ? "  WEFT_TEST_SEED=" + std::to_string(seed_) + "\n" : ""));
}

void printer::OnTestEnd(testing::TestInfo const& test) {
    test_ = "outside a test";
    if (rank() != 0) return;
    testing::TestResult const& result = *test.result();
    char const* const verdict = result.Failed() ? "FAILED " : result.Skipped() ? "skipped" : "ok     ";
    print(STDOUT_FILENO, std::string(verdict) + " " + full_name(test) + " (" +
                             std::to_string(result.elapsed_time()) + " ms)\n");
}

void printer::OnTestProgramEnd(testing::UnitTest const& all) {
    if (rank() != 0) return;
    print(STDOUT_FILENO, std::to_string(all.successful_test_count()) + " passed, " +
                             std::to_string(all.failed_test_count()) + " failed, " +
                             std::to_string(all.skipped_test_count()) + " skipped at " +
                             std::to_string(size()) + " ranks\n");
}

void agreement_listener::OnTestStart(testing::TestInfo const& test) {
    dog_.begin_test(full_name(test));
}

void agreement_listener::OnTestEnd(testing::TestInfo const& test) {
    bool const failed_here = test.result()->Failed();
    std::vector<int> const failed = ranks_.failed_ranks(full_name(test), failed_here);
    if (!failed.empty() && !failed_here) {
        printer_.mute(true);
        ADD_FAILURE() << "failed on " << failed.size() << " other ranks; the lowest is rank "
                      << failed.front();
        printer_.mute(false);
    }
    dog_.end_test();
}

} // namespace weft_test
