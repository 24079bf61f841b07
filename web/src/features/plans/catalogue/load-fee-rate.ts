import * as z from 'zod/mini'
import { readPublic } from '#lib/supabase.ts'

/** The fee rate for plans shared from now on, such as 0.1. Read without a session. */
export async function loadFeeRate(signal?: AbortSignal): Promise<number> {
  return z.number().parse(await readPublic('rpc/fee_rate', {}, signal))
}
