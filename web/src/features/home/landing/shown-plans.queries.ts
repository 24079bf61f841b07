import { query } from '#lib/query.ts'
import { loadShownPlans } from './shown-plans.ts'

/** A few plans with a place. Kept apart from the loader, which the landing page uses without a query cache. */
export const shownPlansQuery = query({ key: ['shown-plans'], load: loadShownPlans })
