import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Container, Text, Title } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { PageTitle } from '#ui/PageTitle.tsx'
import classes from './WizardFrame.module.css'

interface WizardFrameProps {
  title: string
  /** The number of the step, from 1. */
  step: number
  steps: number
  heading: string
  hint?: ReactNode
  /** The back button, labelled with the previous screen, such as "Categories". */
  back?: { label: string; onBack: () => void } | undefined
  /** The part of the step on screen. A new part gets the focus, like a new step. */
  part?: string
  /** Replaces the bar of the step on screen, if that step has parts. */
  parts?: ReactNode
  /** The button to continue, opposite the back button. */
  action?: ReactNode
  children: ReactNode
}

/** The frame of the wizard: title, progress, the step's heading, and back buttons above and below. */
export function WizardFrame({
  title,
  step,
  steps,
  heading,
  hint,
  back,
  part,
  parts,
  action,
  children,
}: WizardFrameProps) {
  const headingRef = useFocusOnChange(`${step} ${part}`)
  const above = useInViewport<HTMLButtonElement>()
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      {back && (
        <Button
          variant="subtle"
          ref={above.ref}
          className={classes.back}
          leftSection={<IconArrowLeft size={18} aria-hidden />}
          onClick={back.onBack}
        >
          {back.label}
        </Button>
      )}
      <PageTitle title={title} />
      <div className={classes.progress}>
        {Array.from({ length: steps }, (_, before) => before + 1).map((each) =>
          parts && each === step ? (
            <Fragment key={each}>{parts}</Fragment>
          ) : (
            <span
              key={each}
              aria-hidden="true"
              className={classes.bar}
              data-bar={each <= step ? 'full' : 'empty'}
            />
          ),
        )}
      </div>
      <Text size="sm" fw={600} c="dimmed" mt="sm" mb={4}>
        <Trans>
          Step {step} of {steps}
        </Trans>
      </Text>
      <Title order={2} mb={hint ? 4 : 'md'} tabIndex={-1} ref={headingRef}>
        {heading}
      </Title>
      {hint && (
        <Text c="dimmed" mb="lg" maw={640}>
          {hint}
        </Text>
      )}
      {children}
      <div className={classes.floating} data-floating>
        {back && (
          <Button
            radius="xl"
            variant="default"
            className={classes.pill}
            data-repeats={above.inViewport || undefined}
            leftSection={<IconArrowLeft size={18} aria-hidden />}
            aria-label={t`Back to ${back.label}`}
            onClick={back.onBack}
          >
            {back.label}
          </Button>
        )}
        {action && <div className={classes.action}>{action}</div>}
      </div>
    </Container>
  )
}

/**
 * Moves the focus to the heading of a new step or part, since the pressed tile or button is gone. Does nothing when the
 * page opens.
 */
function useFocusOnChange(step: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return heading
}
