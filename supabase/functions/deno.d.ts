// Declares the Deno APIs that functions use, for type checks without Deno. `npm run deno` checks with Deno's own types.
declare namespace Deno {
  type ServeHandler = (
    request: Request,
    info: { remoteAddr: { hostname: string } | { path: string } },
  ) => Response | Promise<Response>
  function serve(handler: ServeHandler): unknown
  const env: { get(name: string): string | undefined }
}
