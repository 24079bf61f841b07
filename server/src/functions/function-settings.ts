// Settings of functions in supabase/config.toml.
import { parse } from 'smol-toml'
import { z } from 'zod'

export interface FunctionSettings {
  disabled: ReadonlySet<string>
  /** Functions that anybody may call without a token. */
  open: ReadonlySet<string>
  /** Environment variables that functions get, by name. */
  secrets: Record<string, string>
}

const config = z.object({
  functions: z
    .record(
      z.string(),
      z.object({ enabled: z.boolean().default(true), verify_jwt: z.boolean().default(true) }),
    )
    .default({}),
  edge_runtime: z.object({ secrets: z.record(z.string(), z.string()).default({}) }).prefault({}),
})

/** Reads the settings; `environment` resolves `env(NAME)`. Secrets whose variable is not set are left out. */
export function readFunctionSettings(
  configToml: string,
  environment: Record<string, string | undefined>,
): FunctionSettings {
  const { functions, edge_runtime: runtime } = config.parse(parse(configToml))
  const named = (holds: (one: { enabled: boolean; verify_jwt: boolean }) => boolean) =>
    new Set(Object.keys(functions).filter((name) => functions[name] && holds(functions[name])))
  const secrets = Object.entries(runtime.secrets).flatMap(([name, value]) => {
    const variable = /^env\((\w+)\)$/.exec(value)?.[1]
    const secret = variable === undefined ? value : environment[variable]
    return secret === undefined || secret === '' ? [] : [[name, secret]]
  })
  return {
    disabled: named(({ enabled }) => !enabled),
    open: named(({ verify_jwt }) => !verify_jwt),
    secrets: Object.fromEntries(secrets),
  }
}
