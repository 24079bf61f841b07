import { query } from '#lib/query.ts'
import { loadShownPlans } from './shown-plans.ts'

/** A few plans with a place. In a separate file from the loader, which the landing page uses without a query cache. */
export const shownPlansQuery = query({ key: ['shown-plans'], load: loadShownPlans })
