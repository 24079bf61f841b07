import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { isRetryable } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'

interface WizardFailureProps {
  /** The error's title, such as "Error loading plans". */
  title: string
  problem: unknown
  busy: boolean
  onRetry: () => void
}

/** Shown for a step that could not be loaded, with a button to try again. */
export function WizardFailure({ title, problem, busy, onRetry }: WizardFailureProps) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        action={
          <Button onClick={onRetry} loading={busy}>
            {t`Try Again`}
          </Button>
        }
      >
        {isRetryable(problem)
          ? t`You seem to be offline. Check your connection and try again.`
          : t`Something went wrong on our side. Please try again in a moment.`}
      </EmptyState>
    </div>
  )
}
