import { t } from '@lingui/core/macro'
import type { ImportedRow } from '#domain/imports/row.ts'
import type { BillingCycle, Plan } from '#domain/plan.ts'
import { useChange } from '#lib/change.ts'
import { RULE_BROKEN, toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { withSeller } from '#lib/seller.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'
import { planKeys } from '../shared-plans/plans.queries.ts'

/** The import result of a row, as private.preview_import names it. */
export type Fate =
  | ('new' | 'choose' | 'date' | 'done' | 'shared' | 'twice' | 'theirs' | 'unknown' | 'single')
  | ('closed' | 'currency' | 'irregular' | 'once' | 'ended' | 'repayment' | 'lifetime')

/** A row's import result, with the values for its text. */
export interface Fated {
  key: string
  fate: Fate
  params: {
    provider?: string
    /** The catalogue plan: id, name, price for a cycle and maximum number of people. */
    plan?: string
    name?: string
    price?: number
    cycle?: BillingCycle
    most?: number
    places?: number
    renews?: string
    /** The possible renewal days, if the file is ambiguous. */
    dates?: string[]
    /** The id and status of the created plan, which staff may have to review first. */
    id?: string
    status?: Plan['status']
    invited?: { email: string; refusal?: object }[]
  }
}

/** The person's choices for a row. */
export interface Choice {
  plan?: string | null
  places?: number
  renews?: string | null
  /** E-mail addresses by the people's names in the file. */
  invite?: Record<string, string>
  /** True if the row must not become a plan. */
  off?: boolean
}

/** True if a row is turned off: by the person's choice, or by default if the file does not say who pays. */
export const isOff = (row: ImportedRow, me: string | null, choice: Choice = {}) =>
  choice.off ?? (me !== null && row.payer === null)

/** A row as sent to the database. `me` is the person's name in the file. */
export const asked = (row: ImportedRow, index: number, me: string | null, choice: Choice = {}) => ({
  key: String(index),
  ...{
    name: row.name,
    kind: row.kind,
    price: row.price,
    currency: row.currency,
    unit: row.unit,
    every: row.every,
  },
  ...{ date: row.date, dates: row.dates },
  payer: row.payer === me || me === null ? null : row.payer,
  plan: choice.plan ?? null,
  places: choice.places ?? row.places,
  renews: choice.renews ?? null,
  invite: [...row.invite, ...Object.values(choice.invite ?? {})].filter((address) => address.trim() !== ''),
})
export type Asked = ReturnType<typeof asked>

export const previewQuery = (rows: readonly Asked[]) =>
  query({
    key: ['import', rows.map(({ invite: _later, ...row }) => row)],
    load: async (signal): Promise<Fated[]> =>
      (await rpc('preview_import', { p_rows: rows as never }, signal)) as unknown as Fated[],
  })

export const useImport = (onDone: (fates: Fated[]) => void) =>
  useChange({
    run: async ({ rows, isPrivate }: { rows: readonly Asked[]; isPrivate: boolean }) =>
      withSeller(
        async () =>
          (await rpc('import_plans', { p_rows: rows as never, p_private: isPrivate })) as unknown as Fated[],
      ),
    stale: [planKeys.lists, ['import']],
    done: onDone,
    failed: (problem) => explain(problem, t`Nothing was brought along. Please try again.`),
  })

/** Makes our server query a Wallos server on the internet, and returns its two answers: subscriptions, currencies. */
export const useAskWallos = (onAnswers: (answers: string[]) => void) =>
  useChange({
    run: async (body: { address: string; key: string }): Promise<string[]> => {
      const { data, error } = await supabase().functions.invoke('import/wallos', { body })
      if (!error) return data
      const said = error.context instanceof Response ? await error.context.json().catch(() => null) : null
      throw toAppError(said ?? error)
    },
    done: onAnswers,
    failed: (problem) =>
      explain(problem, ({ code }) => [
        t`Wallos was not read`,
        code === RULE_BROKEN
          ? t`Its address must be on the internet and start with https://. For one at home, choose its two answers below.`
          : t`It did not answer. Check the address and the key.`,
      ]),
  })
