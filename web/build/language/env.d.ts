/** The language in which the build is drawing a page; there is no document to read it from. */
declare var LANGUAGE: string | undefined
