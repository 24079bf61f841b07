/** Apart from problems.ts, whose texts a plan's page loads only once there is a problem. */
import type { Problem } from './problems.ts'

export const isOpen = ({ turn }: Pick<Problem, 'turn'>): boolean => turn !== 'closed'
