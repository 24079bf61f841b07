// The parts of Deno that functions use, for type checks without Deno; `npm run deno` checks with Deno's own types.
declare const Deno: {
  serve(
    handler: (
      request: Request,
      info: { remoteAddr: { hostname: string } | { path: string } },
    ) => Response | Promise<Response>,
  ): unknown
  env: { get(name: string): string | undefined }
}
