# bakeoff(command, table, ...) calls the program bakeoff: bakeoff("compare", scores, better = "higher").
# It needs R 4.0, the package jsonlite, and the program on the PATH.

bakeoff <- function(command, table = NULL, ...) {
  if (!nzchar(Sys.which("bakeoff"))) {
    stop("no program bakeoff on the PATH: install it, or add its folder with Sys.setenv(PATH = ...)", call. = FALSE)
  }
  files <- tempfile(c("scores", "answer", "message"), fileext = c(".csv", ".json", ".txt"))
  on.exit(unlink(files))
  if (!is.null(table)) {
    utils::write.csv(bakeoff_table(table), files[1], row.names = FALSE, fileEncoding = "UTF-8")
  }
  words <- c(command, if (!is.null(table)) files[1], bakeoff_options(list(...)), "--json")
  status <- system2("bakeoff", shQuote(words), stdout = files[2], stderr = files[3])
  answered <- status == 0 || (command == "check" && status %in% c(1, 3)) # regressed, inconclusive
  if (!answered) {
    stop(paste(readLines(files[3], encoding = "UTF-8"), collapse = "\n"), call. = FALSE)
  }
  jsonlite::fromJSON(paste(readLines(files[2], encoding = "UTF-8"), collapse = "\n"))
}

# A matrix, or a data frame whose rows have names, gets the column "problem".
bakeoff_table <- function(table) {
  frame <- as.data.frame(table, optional = TRUE)
  if (is.character(attr(frame, "row.names"))) cbind(problem = rownames(frame), frame) else frame
}

# standard_error = "papers" is --standard-error papers; TRUE is an option without a value; a vector repeats the option;
# what has no name stands as it is.
bakeoff_options <- function(options) {
  as_typed <- function(name, value) {
    option <- paste0("--", gsub("_", "-", name))
    if (!nzchar(name)) as.character(value)
    else if (isTRUE(value)) option
    else if (!isFALSE(value)) rbind(option, as.character(value))
  }
  unlist(Map(as_typed, if (is.null(names(options))) rep("", length(options)) else names(options), options), use.names = FALSE)
}
