"""The doors to the library: command line, HTTP, pages. They import only the public names of kb."""
