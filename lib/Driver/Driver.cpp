//===- Driver.cpp - The nacre command -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands' option tables, help, and dispatch.
//
//===----------------------------------------------------------------------===//

#include "nacre/Driver/Driver.h"
#include "AssertQuantized.h"
#include "BundleArguments.h"
#include "Calibrate.h"
#include "CalibratorOption.h"
#include "Classify.h"
#include "CodeArguments.h"
#include "DumpTensors.h"
#include "LayerDifferences.h"
#include "RangeFiles.h"
#include "RoundingOption.h"
#include "Session.h"
#include "Signals.h"
#include "Trace.h"
#include "Tune.h"

#include "nacre/Support/Files.h"
#include "nacre/Target/Version.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"

#include <new>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

namespace {

struct Command {
  StringRef name;
  StringRef usage;
  StringRef summary;
  StringRef details;
  std::vector<OptionSpec> options;
  ExitCode (*run)(const Arguments &);
};

} // namespace

static std::vector<OptionSpec> concat(std::vector<OptionSpec> options,
                                      ArrayRef<OptionSpec> others) {
  llvm::append_range(options, others);
  return options;
}

/// Those of a command, and of every one that has a program to show.
static std::vector<OptionSpec> withInspection(std::vector<OptionSpec> options) {
  return concat(std::move(options), getInspectionOptions());
}

/// Those of `nacre compile` alone.
static std::vector<OptionSpec> getCompileOptions() {
  return concat(
      {{"-o", "OUT", "where to write (default: the model's name here)"},
       {"--emit", "FORM",
        "shared, static, obj, llvm, asm, onnx, ie, vpu, loops, or bundle, of "
        "which OUT is the folder (default: what OUT's extension tells, shared "
        "without one)"},
       getAssertQuantizedOption(),
       {"--external-data", "",
        "with --emit=onnx: weights of 1 KB and more in OUT.data beside OUT, as "
        "from 2 GB on"},
       {"--name", "NAME",
        "the prefix of the C functions (default: OUT's name without its "
        "extension)"},
       {"--instrument", "",
        "also make NAME_run_with_hooks, which calls functions of the caller "
        "before and after each step; OUT.steps.json says what the steps are"}},
      concat(getBundleOptions(),
             concat(getTargetOptions().vec(), getCodeOptions())));
}

static const std::vector<Command> &getCommands() {
  static const OptionSpec dynamic{
      "--dynamic", "",
      "keep dynamic inputs dynamic: by default the model is compiled for the "
      "sizes of the data"};
  static const OptionSpec ratio{
      "--snr", "DB",
      "signal over noise of each output, at least, in decibels; counts instead "
      "of tolerances"};
  static const OptionSpec input{
      "--input", "NAME=SOURCE",
      "a .npy or .pb file, or random[:SEED] (default: random)"};
  static const std::vector<Command> commands = {
      {"compile", "nacre compile MODEL [-o OUT] [options]",
       "turn a model into a library, an object, the IR of a level, or ONNX",
       "MODEL is an .onnx file or an .mlir file of any level. A library or "
       "object "
       "comes with a C\nheader beside it. OUT's extension tells the form: .so "
       "(also .so.1), .a, .o, .s,\n.ll, .mlir (.ie.mlir, .vpu.mlir, "
       ".loops.mlir), .onnx for the optimised model as ONNX.\n\n"
       "  nacre compile digits.onnx -o digits.so\n"
       "  nacre compile digits.onnx -o digits.vpu.mlir\n"
       "  nacre compile digits.onnx --vpu-arch=aarch64 -o digits.o\n"
       "  nacre compile digits.onnx --shape image=1x1x8x8 -o fixed.onnx\n"
       "  nacre compile digits.onnx --emit=bundle -o digits_bundle\n"
       "  nacre compile digits.onnx --emit=bundle --target=arm-none-eabi "
       "--mcpu=cortex-m7 --float-abi=hard -o digits_m7\n"
       "  nacre compile digits.onnx --dump-listing --dump-graph=digits.dot",
       withInspection(getCompileOptions()), runCompile},
      {"run", "nacre run MODEL [options]", "run a model once",
       "MODEL is .onnx, .mlir, or a library made by nacre compile.\n\n"
       "  nacre run digits.onnx --input image=digit.npy\n"
       "  nacre run digits.so --output-dir out\n"
       "  nacre run any-size.so --shape x=2x3x224x224\n"
       "  nacre run digits.onnx --input image=digit.npy --dump-tensors=-",
       withInspection(concat({input,
                              {"--output-dir", "DIR",
                               "save outputs as DIR/NAME.npy and list them in "
                               "DIR/outputs.json"}},
                             getDumpOptions())),
       runRun},
      {"check", "nacre check MODEL DATADIR... [options]",
       "compare a model's outputs with the expected ones, or another model's",
       "DATADIR is an ONNX test data folder: input_N.pb and output_N.pb. "
       "Elements agree when\n|a - b| <= atol + rtol * |b|. Where neither is "
       "given they also agree when they\ndiffer by one unit in the last place "
       "of their type; with --precision=bf16, and with an\n--accuracy-level of "
       "2 or more for a model with products that say none, rtol is 0.05\nand "
       "0.05 of the largest element is added. Integers must be equal where "
       "neither\nis given.\n\n"
       "  nacre check model.onnx test_data_set_0\n"
       "  nacre check model.onnx test_data_set_0 --dump-tensors=values:conv*\n"
       "  nacre check small.onnx test_data_set_0 --against=model.onnx --layers",
       withInspection(
           concat({{"--rtol", "X", "relative tolerance (default 1e-3)"},
                   {"--atol", "X", "absolute tolerance (default 1e-5)"},
                   ratio,
                   dynamic},
                  concat(getDumpOptions(), getComparisonOptions()))),
       runCheck},
      {"bench", "nacre bench MODEL [DATADIR] [options]", "time a model",
       "With DATADIR the outputs are verified first, where it has expected "
       "ones. "
       "Timed is a library as\n"
       "nacre compile makes it; the memory is that of a process that does\n"
       "nothing but run it.\n\n"
       "  nacre bench model.onnx --threads=2 --seconds=5\n"
       "  nacre bench model.onnx --profile --profile-html=model.html",
       withInspection(
           {input,
            ratio,
            {"--seconds", "S",
             "how long to measure (default 1); the first run alone if it takes "
             "longer"},
            {"--busy", "N",
             "start N busy processes meanwhile, bound to cores from the last "
             "one on"},
            {"--json", "", "print one line of JSON"},
            dynamic,
            {"--profile", "", "measure every layer: time, FLOP/s, roofline"},
            {"--profile-html", "FILE",
             "the same as a page with a timeline and a memory map"}}),
       runBench},
      {"classify",
       "nacre classify MODEL IMAGE... | --images=DIR | --list=FILE [options]",
       "say what pictures show, and how often that is right",
       "MODEL takes a picture, or several, and its first output is a score for "
       "each class:\n.onnx, .mlir, or a library made by nacre compile. IMAGE "
       "is "
       "PNG, JPEG, PPM, PGM, or a\n.npy array of height x width (x channels) "
       "with numbers from 0 to 255; - reads names\nfrom standard input. "
       "Pictures are resized to what the model takes; what it leaves\nopen is "
       "the size of the first one.\n\n"
       "  nacre classify net.onnx cat.png --labels=labels.txt --topk=5\n"
       "  nacre classify net.onnx --images=photos --expected=classes.txt "
       "--min-accuracy=0.7\n"
       "  nacre classify net.onnx cat.jpg --mean=0.485,0.456,0.406 "
       "--std=0.229,0.224,0.225",
       withInspection(getClassifyOptions()), runClassify},
      {"calibrate",
       "nacre calibrate MODEL --data=FOLDER... [-o FILE] [options]",
       "measure the ranges of a model's values, by which --ranges quantizes",
       "FOLDER is an ONNX test data folder, of which the input_N.pb count, or "
       "holds such\nfolders, or NumPy's files, or pictures, as for nacre "
       "classify. FILE is YAML,\nMODEL.ranges.yaml by default, and can be "
       "edited. The options of quantization say which\ncalibrators are tried "
       "on the samples, and for which integers. nacre profile is the same.\n\n"
       "  nacre calibrate model.onnx --data=samples -o model.ranges.yaml\n"
       "  nacre compile model.onnx --ranges=model.ranges.yaml -o model.so",
       withInspection(concat({{"-o", "FILE", "where to write"}, dynamic},
                             getCalibrationOptions())),
       runCalibrate},
      {"quantize",
       "nacre quantize MODEL (--data=FOLDER... | --ranges=FILE | "
       "--activations=dynamic|none) [-o OUT] [options]",
       "write a model that computes on 8-bit integers, as ONNX",
       "The model has QuantizeLinear and DequantizeLinear nodes, as nacre and "
       "others read\nthem. OUT is MODEL.int8.onnx by default. With --data, the "
       "ranges that were measured\nstay beside it, for another try with "
       "--ranges: OUT.ranges.yaml. A report compares\nvalues on --data, which "
       "then may be given beside --ranges. No data are needed\nwith "
       "--activations=dynamic, where each run finds the ranges, as with "
       "DynamicQuantizeLinear\nnodes, and with --activations=none, where "
       "weights of matrices alone have few bits.\n\n"
       "  nacre quantize model.onnx --data=samples -o small.onnx "
       "--report=small.html\n"
       "  nacre check small.onnx samples/test_data_set_0 --snr=20\n"
       "  nacre quantize encoder.onnx --activations=dynamic -o small.onnx\n"
       "  nacre quantize decoder.onnx --activations=none --weights=int4 -o "
       "small.onnx",
       withInspection(
           concat({{"-o", "OUT", "where to write"},
                   {"--report", "FILE",
                    "write what it costs, layer by layer, the worst first: "
                    ".html, .txt or .json"},
                   getAssertQuantizedOption(),
                   {"--external-data", "",
                    "weights of 1 KB and more in OUT.data beside OUT"},
                   dynamic},
                  getCalibrationOptions())),
       runQuantize},
      {"tune",
       "nacre tune MODEL --data=FOLDER... --target=METRIC>=X [-o FILE] "
       "[options]",
       "find which nodes need f32 for a quantized model to be good enough",
       "FILE is a range profile for --ranges, MODEL.tuned.yaml by default: "
       "that "
       "of --ranges,\nor one that is measured, with overrides. The model is "
       "compiled once for all trials,\nwith dynamic quantization parameters. "
       "The exit status is 1 where the model\nitself does not reach the "
       "target.\n\n"
       "  nacre tune model.onnx --data=samples --target='agreement>=0.99'\n"
       "  nacre tune model.onnx --data=samples --labels=labels.txt "
       "--target='top1-drop<=0.005'\n"
       "  nacre compile model.onnx --ranges=model.tuned.yaml -o model.so",
       withInspection(
           concat(concat({{"-o", "FILE", "where to write"},
                          {"--report", "FILE",
                           "write what was tried, and what the best costs: "
                           ".html, .txt or .json"},
                          dynamic},
                         getTuneOptions()),
                  getCalibrationOptions())),
       runTune},
      {"info", "nacre info MODEL [options] | --support=ARCH | --target=TRIPLE",
       "show a model's operators, shapes and size, and what is unsupported",
       "MODEL is .onnx, or what nacre compile has made: a library, an archive, "
       "an object,\nor the folder of a bundle, of any machine.\n\n"
       "Lists the convolutions, products and poolings that the engine does not "
       "compute,\nwith the reason: they run in software kernels, which are "
       "slower. Sizes that the\nmodel leaves open are assumed in the number of "
       "multiply-accumulates (MACs).\n\n"
       "With --support, lists the operations that models consist of, who "
       "computes them on an\narchitecture (its engine, software kernels, other "
       "operations, the interpreter), and\nfor which element types. With "
       "--target and no model, lists CPUs and features that\n--mcpu and "
       "--mattr take there.\n\n"
       "  nacre info model.onnx --shape image=1x3x224x224\n"
       "  nacre info digits_bundle\n"
       "  nacre info --support=NPU37XX\n"
       "  nacre info --target=thumbv7em-none-eabi",
       concat({{"--support", "ARCH",
                "what an architecture, as --vpu-arch names it, computes; "
                "without a "
                "model"},
               {"--engine", "",
                "list these of a model of more than 64 MB of parameters, too"}},
              getTargetOptions()),
       runInfo},
  };
  return commands;
}

static void printOptions(ArrayRef<OptionSpec> options) {
  for (const OptionSpec &option : options) {
    std::string left = option.name.str();
    if (option.value.starts_with("[")) {
      left += "[=" + option.value.drop_front().str();
    } else if (!option.value.empty()) {
      left += (option.name.starts_with("--") ? "=" : " ") + option.value.str();
    }
    llvm::outs() << "  " << llvm::left_justify(left, 22) << " " << option.help
                 << "\n";
  }
}

/// The same for every command and backend.
static constexpr StringRef kExitStatus =
    "exit status: 0 success, 1 results differ, 2 unsupported model,\n"
    "             3 bad input (a file, an option, data that end a run), "
    "output\n"
    "             that cannot be written or no memory, 70 internal error\n\n"
    "What a command writes appears when all of it is whole, and after an error "
    "or a\nsignal nothing of it does.\n";

static void printHelp(const Command &command) {
  llvm::outs() << command.usage << "\n\n" << command.summary << "\n\n";
  if (!command.details.empty()) {
    llvm::outs() << command.details << "\n\n";
  }
  llvm::outs() << "options:\n";
  printOptions(command.options);
  printOptions(getCompilationOptions());
  llvm::outs() << "\n" << kExitStatus;
}

static void printHelp() {
  llvm::outs() << "nacre compiles ONNX models to small native code.\n\n"
                  "usage: nacre COMMAND …\n\n";
  for (const Command &command : getCommands()) {
    llvm::outs() << "  " << llvm::left_justify(command.name, 9) << " "
                 << command.summary << "\n";
  }
  llvm::outs()
      << "\nnacre COMMAND --help tells more; nacre --version names the "
         "versions of nacre and\nLLVM and the architectures built "
         "in.\n\n"
      << kExitStatus;
}

/// A crash is a defect: say so, and exit with the status for it.
static void reportCrash(void *) {
  static const char message[] =
      "nacre: error: internal error: the compiler crashed; please report the "
      "command line and the model\n";
  (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
  removeFolders();
  _exit(static_cast<int>(ExitCode::Internal));
}

/// What no check has foreseen, since only the allocation tells.
static void reportOutOfMemory() {
  static const char message[] = "nacre: error: out of memory\n";
  (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
  llvm::sys::RunInterruptHandlers();
  removeFolders();
  _exit(static_cast<int>(ExitCode::BadInput));
}

/// Gives the memory of weights and samples back as soon as it is freed: after
/// the first large block glibc would keep all up to its size, and what is kept
/// between samples would leave holes that the next ones do not fit.
static void returnFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 18);
#endif
}

/// What nacre calls a command that users of Glow know by another name.
static StringRef resolveAlias(StringRef name) {
  return name == "profile" ? "calibrate" : name;
}

static ExitCode runCommand(int argc, char **argv) {
  if (argc < 2) {
    printHelp();
    return ExitCode::BadInput;
  }
  StringRef name = resolveAlias(argv[1]);
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp();
    return ExitCode::Success;
  }
  if (name == "--version") {
    printVersion(llvm::outs());
    return ExitCode::Success;
  }
  for (const Command &command : getCommands()) {
    if (command.name != name) {
      continue;
    }
    std::vector<OptionSpec> specs = command.options;
    llvm::append_range(specs, getCompilationOptions());
    ArrayRef<const char *> words(argv + 2, argc - 2);
    FailureOr<Arguments> given = Arguments::parse(specs, words);
    if (failed(given)) {
      return ExitCode::BadInput;
    }
    if (given->has("--help")) {
      printHelp(command);
      return ExitCode::Success;
    }
    FailureOr<TraceLevel> level = given->getChoice<TraceLevel>(
        "--trace-level", {{"debug", TraceLevel::Debug},
                          {"operator", TraceLevel::Operator},
                          {"runtime", TraceLevel::Runtime},
                          {"request", TraceLevel::Request}});
    if (failed(level)) {
      return ExitCode::BadInput;
    }
    if (given->has("--trace-level") && !given->has("--trace")) {
      printError() << "--trace-level needs --trace\n";
      return ExitCode::BadInput;
    }
    TemporaryFolder folder;
    FailureOr<Arguments> kept = keepPipedRanges(*given, folder);
    if (failed(kept)) {
      return ExitCode::BadInput;
    }
    Arguments arguments = settleRanges(*kept, given->get("--ranges"));
    if (arguments.has("--trace")) {
      return runTraced(arguments.get("--trace"), *level,
                       [&] { return command.run(arguments); });
    }
    return command.run(arguments);
  }
  SmallVector<StringRef> names(llvm::map_range(
      getCommands(), [](const Command &command) { return command.name; }));
  std::string suggestion = suggestName(name, names);
  printError() << "unknown command '" << name << "'"
               << (suggestion.empty() ? "; " : suggestion + " ")
               << "nacre --help lists them\n";
  return ExitCode::BadInput;
}

int nacre::runDriver(int argc, char **argv) {
  returnFreedMemory();
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/true);
  llvm::sys::AddSignalHandler(reportCrash, nullptr);
  std::set_new_handler(reportOutOfMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { reportOutOfMemory(); });
  ignoreFileSizeSignal();
  cleanUpOnSignals();
  ExitCode code = runCommand(argc, argv);
  if (std::error_code error = takeError(llvm::outs())) {
    printError() << "cannot write to standard output: " << error.message()
                 << "\n";
    code = code == ExitCode::Success ? ExitCode::BadInput : code;
  }
  llvm::errs().clear_error();
  return static_cast<int>(code);
}
