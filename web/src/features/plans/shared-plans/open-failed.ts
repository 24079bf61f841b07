import { t } from '@lingui/core/macro'

/** In a separate file, so that the text is available even if the plan page's code fails to load. */
export const PLAN_OPEN_FAILED = t`Failed to navigate to subscription details`
