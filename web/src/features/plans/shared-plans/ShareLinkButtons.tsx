import { Button, type ButtonProps, CopyButton } from '@mantine/core'
import { IconCheck, IconLink, IconShare2 } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import { useShareLink } from './plan-link.ts'
import { planToasts } from './plans.messages.ts'

interface ShareLinkButtonsProps extends Pick<ButtonProps, 'variant'> {
  plan: Plan
}

/** Lets the owner copy the link to the plan, or pass it to the device's share sheet. */
export function ShareLinkButtons({ plan, variant = 'filled' }: ShareLinkButtonsProps) {
  const link = useShareLink(plan)
  const canShare = 'share' in navigator
  const share = async () => {
    try {
      await navigator.share({ title: `${plan.provider} ${plan.name}`, url: link ?? '' })
    } catch (problem) {
      // Closing the share sheet is a change of mind, not a failure.
      if ((problem as Error).name !== 'AbortError') planToasts.shareFailed()
    }
  }
  return (
    <>
      {canShare && (
        <Button
          variant={variant}
          leftSection={<IconShare2 size={20} aria-hidden />}
          disabled={!link}
          onClick={() => void share()}
        >
          Share the link
        </Button>
      )}
      <CopyButton value={link ?? ''}>
        {({ copied, copy }) => (
          <Button
            variant={canShare ? 'default' : variant}
            leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconLink size={20} aria-hidden />}
            disabled={!link}
            onClick={copy}
          >
            {copied ? 'Link copied' : canShare ? 'Copy the link' : 'Share the link'}
          </Button>
        )}
      </CopyButton>
    </>
  )
}
