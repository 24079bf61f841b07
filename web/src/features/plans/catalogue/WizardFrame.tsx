import { Button, Container, Text, Title } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { PageTitle } from '#ui/PageTitle.tsx'
import classes from './WizardFrame.module.css'

interface WizardFrameProps {
  title: string
  /** Where the person is: the step's number from 1, how many there are, and what is asked. */
  step: number
  steps: number
  heading: string
  hint?: ReactNode
  /** The screen one step back, by its label: "Categories", "Providers", "Plans", "Dashboard". */
  back?: { label: string; onBack: () => void } | undefined
  /** Floats in the other corner. */
  corner?: ReactNode
  children: ReactNode
}

/** What both wizards share: title, progress, the step's heading, and the two ways back. */
export function WizardFrame({ title, step, steps, heading, hint, back, corner, children }: WizardFrameProps) {
  const headingRef = useFocusOnChange(step)
  const above = useInViewport<HTMLButtonElement>()
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      {back && (
        <Button
          variant="subtle"
          color="gray"
          ref={above.ref}
          className={classes.back}
          leftSection={<IconArrowLeft size={18} aria-hidden />}
          onClick={back.onBack}
        >
          {back.label}
        </Button>
      )}
      <PageTitle title={title} />
      <div className={classes.progress} aria-hidden="true">
        {Array.from({ length: steps }, (_, before) => before + 1).map((each) => (
          <span key={each} className={classes.bar} data-done={each <= step || undefined} />
        ))}
      </div>
      <Text size="sm" fw={600} c="dimmed" mt="sm" mb={4}>
        Step {step} of {steps}
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
      <div className={classes.floating}>
        {back && (
          <Button
            radius="xl"
            variant="default"
            className={classes.pill}
            data-repeats={above.inViewport || undefined}
            leftSection={<IconArrowLeft size={18} aria-hidden />}
            aria-label={`Back to ${back.label}`}
            onClick={back.onBack}
          >
            {back.label}
          </Button>
        )}
        {corner && <div className={classes.corner}>{corner}</div>}
      </div>
    </Container>
  )
}

/** Brings keyboard and screen reader to the new step, since the tile they pressed is gone. Not on the first one. */
function useFocusOnChange(step: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return heading
}
