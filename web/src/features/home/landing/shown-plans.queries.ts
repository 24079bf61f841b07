import { query } from '#lib/query.ts'
import { loadShownPlans } from './shown-plans.ts'

/** A few of the plans with a place. */
export const shownPlansQuery = query({ key: ['shown-plans'], load: loadShownPlans })
