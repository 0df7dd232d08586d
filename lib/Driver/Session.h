//===- Session.h - A model being worked on ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a model, compiles or interprets it, and keeps track of what the exit
// status will be.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_SESSION_H
#define NACRE_LIB_DRIVER_SESSION_H

#include "Arguments.h"
#include "IRDump.h"
#include "Inspection.h"
#include "Reproducer.h"
#include "Stages.h"
#include "nacre/Driver/Driver.h"
#include "nacre/Emit/Bundle.h"
#include "nacre/Emit/CompiledModel.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/Target/CodeChoice.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>
#include <optional>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace nacre {
struct DefaultHWOptions;
namespace IE {
struct QuantizeDynamicOptions;
struct QuantizeEmbeddingsOptions;
struct QuantizeOptions;
struct QuantizeWeightsOptions;
struct TapValuesOptions;
} // namespace IE
} // namespace nacre

namespace nacre {
struct TargetChoice;
} // namespace nacre

namespace nacre::driver {

enum class Backend { CPU, Reference, ReferenceHW, Interpreter };

/// The options of every command that compiles.
llvm::ArrayRef<OptionSpec> getCompilationOptions();

/// Those of them that say how to quantize, and need --ranges.
llvm::ArrayRef<llvm::StringRef> getQuantizationOptions();

/// The command line without what quantizes.
Arguments withoutQuantization(const Arguments &arguments);

/// The command line without what says how to compile.
Arguments withoutCompilation(const Arguments &arguments);

/// The options of the commands that compile for other machines, too.
llvm::ArrayRef<OptionSpec> getTargetOptions();

/// The LLVM target that the command line names. Prints an error and fails for
/// what cannot be a name.
mlir::FailureOr<TargetChoice> readTargetChoice(const Arguments &arguments);

/// Whether the command line asks for weights of few bits and nothing else.
bool quantizesWeightsAlone(const Arguments &arguments);

/// Whether it asks for ranges that each run finds.
bool quantizesDynamically(const Arguments &arguments);

/// Whether it is about values on integers by ranges that were measured.
bool quantizesByRanges(const Arguments &arguments);

/// Whether what the command line asks for needs what samples have shown.
bool needsRanges(const Arguments &arguments);

/// Whether it asks for biases that make up for what runs show.
bool correctsBiasesExactly(const Arguments &arguments);

/// Prints an error and fails where the options say nothing that can be done,
/// of a command that measures ranges first if it has none.
mlir::LogicalResult requireQuantization(const Arguments &arguments);

/// Prints an error and fails where there is no file that a model can be read
/// from, more than once: a pipe cannot.
mlir::LogicalResult requireModelFile(llvm::StringRef path);

/// Marks the inputs of @main that are states. Each of `states` is INPUT:OUTPUT,
/// which names either. Prints an error and fails where there are no such
/// values.
mlir::LogicalResult bindStates(mlir::ModuleOp module,
                               llvm::ArrayRef<std::string> states);

/// Elements a and b agree when
/// |a - b| <= absolute + relative * |b| + ofLargest * max |b|.
struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-5;
  double ofLargest = 0;
  /// Whether elements also agree that differ by one unit in the last place of
  /// their type, which for bfloat16 is more than the rest allows: how a result
  /// was rounded to that type is up to the producer.
  bool allowsLastPlace = true;
  /// What integers may differ by, which else must be equal.
  double integerRelative = 0;
  double integerAbsolute = 0;
  /// If given, all that counts for numbers: signal over noise of an output, in
  /// decibels, must be at least that.
  std::optional<double> decibels;

  /// What sums of a whole layer's rounded operands may differ by.
  static Tolerance getBFloat16() {
    Tolerance tolerance;
    tolerance.relative = tolerance.ofLargest = 5e-2;
    return tolerance;
  }
};

/// An input that is none of the compiled model's, since its value is fixed.
struct FixedInput {
  size_t number; // among the model's inputs without initializers
  ModelTensor tensor;
  interpreter::Tensor value;
};

class Session {
public:
  Session();
  ~Session();

  /// Reads the options shared by the commands. Sets the exit code on failure.
  mlir::LogicalResult configure(const Arguments &arguments);

  /// Loads an .onnx or .mlir model and reads its interface.
  mlir::LogicalResult loadModel(llvm::StringRef path);

  /// Runs a pipeline on the module.
  mlir::LogicalResult
  runPasses(llvm::function_ref<void(mlir::OpPassManager &)> build) {
    return runPasses(*module, build);
  }
  /// What a pass says is an error of the model's kind, or of `kind`.
  mlir::LogicalResult
  runPasses(mlir::ModuleOp target,
            llvm::function_ref<void(mlir::OpPassManager &)> build,
            ExitCode kind = ExitCode::Unsupported);

  /// What the module's file says is still to be run on it, else, where it is
  /// still a model, the graph's optimisation; for other tools than nacre
  /// without a loop over samples of unknown number.
  mlir::LogicalResult optimize(bool releaseConstants,
                               bool splitsBatches = true);

  /// What --ranges asks for, and the taps, on a module that is still a model.
  mlir::LogicalResult adjustGraph();

  /// Shows what --dump-graph-optimized and --dump-listing ask for and no
  /// pipeline has come to, of what a copy of the module would become.
  mlir::LogicalResult inspectCopy();

  /// The whole way down to an LLVM module for the chosen backend, of what
  /// optimize() has left.
  mlir::FailureOr<std::unique_ptr<Program>> compile(llvm::StringRef name);

  /// Makes the model runnable; `path` may also be a compiled .so. Inputs that
  /// are dynamic take the shapes of the tensors in `dataFolder`, if given.
  mlir::LogicalResult prepare(llvm::StringRef path,
                              llvm::StringRef dataFolder = "");
  /// True when shapes or values were taken from a data folder.
  bool isSpecialized() const { return specialized; }
  /// The initializers that got another value, and the sources of these.
  const llvm::StringMap<std::string> &getReplaced() const { return replaced; }
  /// The inputs that --value makes constants, in their order.
  llvm::ArrayRef<FixedInput> getFixed() const { return fixed; }
  const ModelInterface &getInterface() const { return interface; }
  mlir::LogicalResult run(llvm::ArrayRef<interpreter::Datum> inputs,
                          llvm::SmallVectorImpl<interpreter::Datum> &outputs);

  mlir::MLIRContext &getContext() { return context; }
  mlir::ModuleOp getModule() { return *module; }
  mlir::Location getLoc();
  CompiledModel *getCompiledModel() { return compiled.get(); }
  Backend getBackend() const { return backend; }
  /// Rounds as --ranges asks for, as far as a run says; see
  /// SimulateQuantization.h.
  void simulateQuantization();
  /// The same, with biases that a run corrects and means as a result.
  void simulateBiases();
  /// How to quantize values, weights alone, and values by ranges that runs
  /// find; null where they are not.
  const IE::QuantizeOptions *getQuantization() const {
    return quantization.get();
  }
  const IE::QuantizeWeightsOptions *getWeightQuantization() const {
    return weightQuantization.get();
  }
  const IE::QuantizeDynamicOptions *getDynamicQuantization() const {
    return dynamicQuantization.get();
  }
  /// How to quantize tables of embeddings, too; null where they stay f32.
  const IE::QuantizeEmbeddingsOptions *getEmbeddingQuantization() const {
    return embeddingQuantization.get();
  }
  /// The option that says how to quantize; empty where none does.
  llvm::StringRef getQuantizingOption() const;
  /// How many threads a run may use.
  int64_t getThreads() const { return threads; }
  /// How near outputs must be to the expected ones where nobody says, of what
  /// was prepared.
  Tolerance getTolerance() const {
    return bf16 || roundsRows ? Tolerance::getBFloat16() : Tolerance();
  }
  /// Elements of f32 per vector of the architecture.
  int64_t getLanes();
  /// True when the module was compiled here, with its steps marked.
  bool hasSteps();
  double getCompileMs() const { return compileMs; }
  double getLoadMs() const { return loadMs; }

  /// Records why a step failed; the first reason counts.
  mlir::LogicalResult fail(ExitCode code);
  ExitCode getExitCode() const { return exitCode; }

  /// The command line's choices for the cpu backend.
  void setPipelineOptions(DefaultHWOptions &options) const;

  /// Architectures to compile for, the preferred one first.
  std::vector<std::string> archs;
  /// How code for them calls and addresses, if it is for others to link.
  CodeChoice codeChoice;
  bool isForOthers = false;
  unsigned optLevel = 3;
  /// Compiled code reports its steps to a StepRecorder.
  bool profiles = false;
  /// Compiled code calls its caller's hooks before and after its steps; and
  /// which option asks for that.
  bool hooks = false;
  llvm::StringRef hookingOption = "--instrument";
  /// The values that become results besides the model's.
  std::unique_ptr<IE::TapValuesOptions> taps;
  /// Called with the module when it is prepared for what --ranges and taps ask
  /// for; a failure is one of the input.
  std::function<mlir::LogicalResult(mlir::ModuleOp)> inspect;
  /// Where prepare() writes a model that it compiles, to load it from there as
  /// programs do: a file called model.so. Empty for code in memory alone.
  std::string libraryPath;
  /// Where code is for a bundle, what that is to be like.
  std::optional<BundleOptions> bundle;

private:
  mlir::LogicalResult readArchitectures(llvm::ArrayRef<std::string> names);
  mlir::LogicalResult lower(mlir::ModuleOp target, llvm::StringRef arch);
  void buildLowering(mlir::OpPassManager &manager, mlir::ModuleOp target,
                     llvm::StringRef arch, bool isLast) const;
  mlir::LogicalResult requireCapableCPU();
  std::string getModelName() const;
  mlir::LogicalResult showOptimized(mlir::ModuleOp target);
  mlir::LogicalResult showKernels();
  mlir::LogicalResult refuseInspection(llvm::StringRef why);
  void noteCompilingOption(const Arguments &arguments);
  mlir::LogicalResult prepareLibrary(llvm::StringRef path);
  mlir::LogicalResult loadLibrary(llvm::StringRef path);
  void limitThreads();
  mlir::LogicalResult fixShapes();
  /// Fails, after an error that names the first input or output that does not
  /// fit, where memory cannot hold them all; what is left, the module says.
  mlir::LogicalResult requireMemory();
  /// Says so, and writes a file that repeats the failure of `pipeline`, or of
  /// what comes after all passes.
  mlir::LogicalResult reportInternalError(llvm::StringRef pipeline = "",
                                          const PassFailure &failure = {});
  std::optional<std::string> writeLocalReproducer(const PassFailure &failure);
  std::optional<std::string> writeReproducer(llvm::StringRef pipeline);
  mlir::OwningOpRef<mlir::ModuleOp> readModel();
  /// Its weights may have been freed as they changed their form. Null where the
  /// model has no file.
  mlir::OwningOpRef<mlir::ModuleOp> readModelAgain();
  mlir::LogicalResult loadPlugins(const Arguments &arguments);
  mlir::LogicalResult configureDump(const Arguments &arguments);
  mlir::LogicalResult configureCode(const Arguments &arguments);
  mlir::LogicalResult configureStrategies(const Arguments &arguments);
  mlir::LogicalResult configureQuantization(const Arguments &arguments);
  mlir::LogicalResult configureProducts(const Arguments &arguments);
  mlir::LogicalResult configureEmbeddings(const Arguments &arguments);
  mlir::LogicalResult configureWeights(const Arguments &arguments);
  mlir::LogicalResult configureDynamic(const Arguments &arguments);
  mlir::LogicalResult configureValues(const Arguments &arguments);
  mlir::LogicalResult configureRepairs(const Arguments &arguments);
  mlir::LogicalResult repairGraph();
  mlir::LogicalResult adoptOptions();
  mlir::LogicalResult adoptArchitecture();
  mlir::LogicalResult finishPending();
  void noteRoundedRows();
  void recordOptions(mlir::ModuleOp target) const;
  mlir::LogicalResult specialize(llvm::StringRef path, llvm::StringRef folder);
  mlir::FailureOr<mlir::ElementsAttr> fixInput(llvm::StringRef name,
                                               llvm::StringRef text,
                                               std::optional<unsigned> number,
                                               mlir::RankedTensorType type);
  mlir::FailureOr<mlir::ElementsAttr>
  replaceInitializer(llvm::StringRef name, mlir::RankedTensorType type);

  /// Before all that may take long to be freed.
  Stages stages;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The model's file, and what has been run on the module since.
  std::string modelPath, passed;
  /// What is to be run on the module first: an IR file has said so.
  std::string pending;
  /// The options that the command line names.
  llvm::StringMap<std::string> given;
  /// One of them that a library, being compiled already, has no use for.
  llvm::StringRef compilingOption;
  ModelInterface interface;
  std::unique_ptr<Program> program;
  std::unique_ptr<CompiledModel> compiled;
  std::vector<std::pair<std::string, llvm::SmallVector<int64_t>>> shapes;
  std::vector<std::string> states;
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<FixedInput> fixed;
  /// Where the values of inputs come from, by name, as far as the import may
  /// want to know; and those of them that it took for initializers.
  llvm::StringMap<std::string> sources, replaced;
  Backend backend = Backend::CPU;
  int64_t threads = 1;
  std::optional<IRDump> irDump;
  Inspection inspection;
  /// How to quantize, one of these at most.
  std::unique_ptr<IE::QuantizeOptions> quantization;
  std::unique_ptr<IE::QuantizeWeightsOptions> weightQuantization;
  std::unique_ptr<IE::QuantizeDynamicOptions> dynamicQuantization;
  std::unique_ptr<IE::QuantizeEmbeddingsOptions> embeddingQuantization;
  /// What is done to the graph for quantization to lose less.
  bool equalizes = false, smooths = false;
  /// Whether inputs and outputs are integers, of a model that is quantized.
  bool passesIntegers = false;
  bool smallCode = false;
  bool winograd = true;
  /// --verify-each.
  bool verifiesEach = false;
  /// --verify-locations, and what it has found.
  bool verifiesLocations = false, losesLocations = false;
  bool bf16 = false;
  int64_t accuracyLevel = 0;
  /// Whether that level is the one of a product.
  bool roundsRows = false;
  std::string strategies, dumpStrategies; // files, or none
  std::vector<std::string> plugins;       // files
  bool specializes = true;
  bool specialized = false;
  bool runsHere = false;
  unsigned numErrors = 0;
  bool lacksMemory = false;
  double compileMs = 0, loadMs = 0;
  ExitCode exitCode = ExitCode::Success;
};

/// Reads the tensor for one input: .npy, .pb, or random[:SEED].
mlir::FailureOr<interpreter::Tensor>
readInput(Session &session, llvm::StringRef source, const ModelTensor &tensor);

/// What --value=NAME=TEXT gives the input: a scalar, a comma-separated list for
/// one dimension, or a .npy or .pb file.
mlir::FailureOr<mlir::ElementsAttr>
readValue(Session &session, llvm::StringRef text, const ModelTensor &input);

/// One input per model input: those named by `--input NAME=SOURCE` options,
/// random for the rest.
mlir::LogicalResult
readInputs(Session &session, const Arguments &arguments,
           llvm::SmallVectorImpl<interpreter::Datum> &inputs);

/// The file of a tensor in an ONNX test data folder.
std::string getDataFile(llvm::StringRef folder, llvm::StringRef prefix,
                        unsigned number);

/// The input_N.pb and output_N.pb of an ONNX test data folder, by name where
/// names match the model's, else by number.
struct DataSet {
  llvm::SmallVector<interpreter::Datum> inputs;
  llvm::SmallVector<interpreter::Datum> outputs;
};
mlir::FailureOr<DataSet> readDataSet(Session &session, llvm::StringRef folder);

/// The tensors of a value under names of their own: a tensor is one, a list has
/// NAME[0], NAME[1] and so on.
llvm::SmallVector<NamedTensor> flatten(llvm::StringRef name,
                                       const interpreter::Datum &datum);

/// What a command line allows instead of `otherwise`.
mlir::FailureOr<Tolerance> readTolerance(const Arguments &arguments,
                                         Tolerance otherwise);

/// `datum` as the floats that it stands for where `tensor` says which; else as
/// it is.
interpreter::Datum asFloats(const interpreter::Datum &datum,
                            const ModelTensor &tensor);

/// The inputs of a data folder alone, whose outputs nobody needs. The last
/// inputs may be none of the model's.
mlir::FailureOr<llvm::SmallVector<interpreter::Datum>>
readSample(Session &session, llvm::StringRef folder, size_t numAppended = 0);

/// Compares and prints the worst difference of each output, and its signal over
/// noise.
bool compareOutputs(const Session &session,
                    llvm::ArrayRef<interpreter::Datum> actual,
                    llvm::ArrayRef<interpreter::Datum> expected,
                    const Tolerance &tolerance, llvm::raw_ostream &os);

// One per command, each in its own file.
ExitCode runCompile(const Arguments &arguments);
ExitCode runRun(const Arguments &arguments);
ExitCode runCheck(const Arguments &arguments);
ExitCode runBench(const Arguments &arguments);
ExitCode runInfo(const Arguments &arguments);
ExitCode runCalibrate(const Arguments &arguments);
ExitCode runClassify(const Arguments &arguments);
ExitCode runQuantize(const Arguments &arguments);
ExitCode runTune(const Arguments &arguments);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SESSION_H
