#include <thud/error.hpp>
#include <thud/file.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

/// An empty folder that is gone after the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("thud_file_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  auto entries() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

TEST(File, ReadsBackWhatItWrote) {
  const Folder folder;
  for (const std::string& text : {std::string(), std::string("a\0b\r\n", 5), std::string(300000, 'x')}) {
    thud::write_file(folder / "a", text);
    EXPECT_EQ(thud::read_file(folder / "a"), text);
  }
  EXPECT_EQ(folder.entries(), 1) << "a temporary file was left behind";
}

TEST(Overwrite, NothingThatWasReadIsReplaced) {
  const Folder folder;
  fs::create_directory(folder / "records");
  thud::write_file(folder / "records/a.csv", "# thud fit 0.2.0\n");
  thud::write_file(folder / "records/b.csv", "time,force\n");
  fs::create_symlink(folder / "records/a.csv", folder / "link.csv");
  fs::create_hard_link(folder / "records/b.csv", folder / "twin.csv");
  const auto allowed = [&](const char* path, const char* input, bool force) {
    try {
      thud::require_replaceable("--out", folder / path, "fit", {.inputs = {folder / input}, .force = force});
      return true;
    } catch (const thud::FileError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 7), "--out: ");
      return false;
    }
  };
  for (const bool force : {false, true}) {
    EXPECT_FALSE(allowed("records/a.csv", "records/a.csv", force)) << "the mark does not help an input";
    EXPECT_FALSE(allowed("link.csv", "records/a.csv", force));
    EXPECT_FALSE(allowed("records/a.csv", "link.csv", force));
    EXPECT_FALSE(allowed("twin.csv", "records/b.csv", force));
    EXPECT_FALSE(allowed("records/b.csv", "records", force));
    EXPECT_FALSE(allowed("twin.csv", "records", force));
    EXPECT_TRUE(allowed("records/a.csv", "records", force)) << "an earlier output in a folder is no input";
    EXPECT_EQ(allowed("records/b.csv", "records/a.csv", force), force);
    EXPECT_TRUE(allowed("records/c.csv", "records", force));
  }
}

TEST(Overwrite, AnOutputBeginsWithTheMarkOfItsCommand) {
  const Folder folder;
  const auto allowed = [&](const std::string& text, const char* command = "fit") {
    thud::write_file(folder / "a", text);
    try {
      thud::require_replaceable("--out", folder / "a", command, {});
      return true;
    } catch (const thud::FileError&) {
      return false;
    }
  };
  EXPECT_TRUE(allowed("# " + thud::output_mark("fit") + "\n"));
  EXPECT_TRUE(allowed("# thud fit 0.1: old"));
  EXPECT_TRUE(allowed("<!-- thud fit 12.34.5 -->"));
  for (const char* text :
       {"", "# thud profile 0.2.0", "thud fit 0.2.0", " # thud fit 0.2.0", "#!/bin/sh\nthud fit run.csv\n",
        "# thud fit my own notes", "# thud fit 2 runs", "# thud fit 2. May", "# thud fit 0.", "# thud fit",
        "time,force # thud fit 0.2.0", "\n# thud fit 0.2.0", "{\"format\": \"thud results\"}"})
    EXPECT_FALSE(allowed(text)) << text;
  EXPECT_TRUE(allowed("{\"format\":\"thud results\",\"version\":1}", "results"));
  EXPECT_TRUE(allowed("{\n  \"format\" : \"thud results\"}", "results"));
  EXPECT_FALSE(allowed("{\"notes\": \"on thud\", \"format\": \"thud results\"}", "results"));
  EXPECT_FALSE(allowed("# taken for the thud study of May\ntime,force\n", "study"));
  EXPECT_NO_THROW(thud::require_replaceable("--out", "/dev/null", "fit", {}));
}

TEST(Overwrite, NeedsAFolderAndNoFolderInItsPlace) {
  const Folder folder;
  fs::create_directory(folder / "there");
  const auto refusal = [&](const char* path) {
    try {
      thud::require_replaceable("--out", folder / path, "fit", {.inputs = {}, .force = true});
    } catch (const thud::FileError& error) {
      return error.rule();
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal("new.csv"), "none");
  EXPECT_EQ(refusal("there"), "is a folder; a file is needed");
  EXPECT_EQ(refusal("nowhere/new.csv"), "cannot be written: there is no such folder");
  fs::create_symlink("there/new.csv", folder / "link.csv");  // of what does not exist yet
  EXPECT_EQ(refusal("link.csv"), "none");
  thud::write_file(folder / "link.csv", "text");
  EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
  EXPECT_EQ(thud::read_file(folder / "there/new.csv"), "text");
  fs::create_symlink("nowhere/new.csv", folder / "lost.csv");
  EXPECT_EQ(refusal("lost.csv"), "cannot be written: there is no such folder");
}

TEST(File, ReadsUpToALimit) {
  const Folder folder;
  const auto refusal = [](const std::string& path, std::size_t limit) {
    try {
      thud::read_file(path, limit);
    } catch (const thud::FileError& error) {
      return error.value() + ": " + error.rule();
    }
    return std::string("read");
  };
  thud::write_file(folder / "a", std::string(1000, 'x'));
  EXPECT_EQ(refusal(folder / "a", 1000), "read");
  EXPECT_EQ(refusal(folder / "a", 999), "has more than 999 bytes: the limit for reading");
  try {
    thud::read_file(folder / "a", 999, "--max-size");
    FAIL();
  } catch (const thud::FileError& error) {
    EXPECT_EQ(error.rule(), "the limit for reading (--max-size)");
  }
  // What has no end, and what says that it is huge but is not there: refused without memory for it.
  EXPECT_EQ(refusal("/dev/zero", 200000), "has more than 200000 bytes: the limit for reading");
  const auto sparse = folder / "sparse";
  thud::write_file(sparse, "");
  fs::resize_file(sparse, std::uintmax_t{100} << 30);
  EXPECT_EQ(refusal(sparse, thud::max_file_size), "has more than 1073741824 bytes: the limit for reading");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::jthread writer([path = folder / "pipe"] { thud::write_file(path, std::string(100000, 'y')); });
  EXPECT_EQ(thud::read_file(folder / "pipe", 100000), std::string(100000, 'y'));
}

TEST(File, KeepsTheOldTextWhenTheDiskIsFull) {
  const Folder folder;
  thud::write_file(folder / "a", "good");
  // A file size limit stands in for the full disk: write() fails half-way.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{.rlim_cur = 4096, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(thud::write_file(folder / "a", std::string(10000, 'x')), thud::FileError);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(thud::read_file(folder / "a"), "good");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(File, AReaderNeverSeesAHalfWrittenFile) {
  const Folder folder;
  const std::string path = folder / "a";
  const std::string one(100000, '1'), two(200000, '2');
  thud::write_file(path, one);
  std::jthread writer([&] {
    for (int i = 0; i < 40; ++i) thud::write_file(path, i % 2 ? one : two);
  });
  for (int i = 0; i < 400; ++i) {
    const auto text = thud::read_file(path);
    ASSERT_TRUE(text == one || text == two);
  }
}

TEST(File, KeepsRightsAndFollowsLinks) {
  const Folder folder;
  thud::write_file(folder / "real", "old");
  ASSERT_EQ(::chmod((folder / "real").c_str(), 0640), 0);
  fs::create_symlink("real", folder / "link");
  thud::write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(thud::read_file(folder / "real"), "new");
  EXPECT_EQ(static_cast<int>(fs::status(folder / "real").permissions()), 0640);
}

TEST(File, WritesToADevice) {
  EXPECT_NO_THROW(thud::write_file("/dev/null", "text"));
}

TEST(Error, IsOneLineWhateverWasInTheInput) {
  const thud::FileError error("a\nfile", "p\nda\x1b[2J\x7f\xc2\x9b\xc3\xa9\xc2", "a\trule");
  EXPECT_EQ(error.argument(), "a\\x0afile");
  EXPECT_EQ(error.value(), "p\\x0ada\\x1b[2J\\x7f\\x9b\xc3\xa9\xc2");  // not the second half of another letter
  EXPECT_EQ(error.rule(), "a\\x09rule");
  EXPECT_EQ(error.what(), error.argument() + ": " + error.value() + ": " + error.rule());
  const thud::InputError again(error.argument(), error.value(), error.rule());
  EXPECT_STREQ(again.what(), error.what());
}

TEST(Error, ShowsWhatMovesTheTextOfALine) {
  std::string moving, shown;
  const auto add = [&](unsigned code, const char* escape) {  // as UTF-8 of three bytes
    for (const unsigned byte : {0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f)})
      moving += static_cast<char>(byte);
    shown += escape;
  };
  add(0x200e, "\\u200e"), add(0x200f, "\\u200f"), add(0x2028, "\\u2028"), add(0x2029, "\\u2029");
  add(0x202a, "\\u202a"), add(0x202e, "\\u202e"), add(0x2066, "\\u2066"), add(0x2069, "\\u2069");
  EXPECT_EQ(thud::printable(moving + "\xd8\x9c"), shown + "\\u061c");
  const std::string others =
      "\xe2\x80\x8d\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xd8\x9b\xe2\x80\xf0\x9f\x80\xae\xe2"
      "\x80";
  EXPECT_EQ(thud::printable(others), others);  // the neighbours of those, and what is no letter
}

TEST(File, RefusesWithTheNameAndTheReason) {
  const Folder folder;
  const auto refusal = [](auto&& action) {
    try {
      action();
    } catch (const thud::FileError& error) {
      return std::string(error.what());
    }
    return std::string("no refusal");
  };
  const auto missing = folder / "none";
  EXPECT_EQ(refusal([&] { thud::read_file(missing); }), missing + ": cannot be opened: No such file or directory");
  EXPECT_EQ(refusal([&] { thud::read_file(folder.path); }), folder.path.string() + ": is a folder: a file is needed");
  EXPECT_EQ(refusal([&] { thud::write_file(folder.path, ""); }),
            folder.path.string() + ": is a folder: a file is needed");
  const auto nowhere = folder / "none/a";
  EXPECT_EQ(refusal([&] { thud::write_file(nowhere, ""); }),
            nowhere + ": cannot be written: No such file or directory");
}

}  // namespace
