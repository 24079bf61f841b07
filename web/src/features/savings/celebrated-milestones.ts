/** Which milestones this browser has celebrated, for each person who uses it. */
import * as z from 'zod/mini'
import { local, read, storageKeys, write } from '#lib/storage.ts'

/** Amounts in EUR by user id. */
const celebratedSchema = z.record(z.string(), z.array(z.number()))

/** The amounts, in EUR, of the milestones a person was congratulated on in this browser. */
export const celebratedBy = (userId: string): number[] => recall()[userId] ?? []

export function rememberCelebrated(userId: string, amount: number): void {
  const celebrated = new Set(celebratedBy(userId)).add(amount)
  write(local, storageKeys.celebratedMilestones, JSON.stringify({ ...recall(), [userId]: [...celebrated] }))
}

function recall(): Record<string, number[]> {
  const kept = read(local, storageKeys.celebratedMilestones)
  if (!kept) return {}
  try {
    return z.catch(celebratedSchema, {}).parse(JSON.parse(kept))
  } catch {
    return {}
  }
}
