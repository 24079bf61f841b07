/** The language that the build draws pages in, where there is no document to say it. */
declare var LANGUAGE: string | undefined
