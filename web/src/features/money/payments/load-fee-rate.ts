import * as z from 'zod/mini'
import { readPublic } from '#lib/supabase.ts'

/** The fee of a plan that is shared now, such as 0.1. Asked for as a stranger. */
export async function loadFeeRate(signal?: AbortSignal): Promise<number> {
  return z.number().parse(await readPublic('rpc/fee_rate', {}, signal))
}
