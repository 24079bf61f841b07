/** When the page of a plan could not be opened; known before the page is. */
export const PLAN_OPEN_FAILED = 'Failed to navigate to subscription details'
