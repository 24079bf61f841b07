/** Distances for pull-to-refresh, in px that the content has moved. */
const THRESHOLD = 80
const FARTHEST = 120

export type PullState = 'idle' | 'pulling' | 'ready' | 'refreshing'

/** How far the content moves with the finger: half as far, up to a limit. */
export function pulledBy(finger: number): number {
  return Math.min(Math.max(finger / 2, 0), FARTHEST)
}

export function pullState(pulled: number): PullState {
  if (pulled <= 0) return 'idle'
  return pulled >= THRESHOLD ? 'ready' : 'pulling'
}
