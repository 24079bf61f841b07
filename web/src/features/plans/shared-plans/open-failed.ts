import { t } from '@lingui/core/macro'

/** Kept apart from the page of a plan, to be at hand when that cannot be loaded. */
export const PLAN_OPEN_FAILED = t`Failed to navigate to subscription details`
