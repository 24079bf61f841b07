import { Button, MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { cssVariablesResolver, theme } from './theme.ts'

const show = (button: ReactNode) => {
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver}>
      {button}
    </MantineProvider>,
  )
  return screen.getByRole('button')
}

it('comes in six variants that can be told apart', () => {
  const looks = ['primary', 'secondary', 'success', 'warning', 'ghost', 'gradient'].map((variant) => {
    const button = show(<Button variant={variant}>Go</Button>)
    const look = ['--button-bg', '--button-color', '--button-bd'].map((part) =>
      button.style.getPropertyValue(part),
    )
    document.body.replaceChildren()
    return look
  })
  const [primary, secondary, success, warning, ghost, gradient] = looks.map(([background]) => background)
  expect(new Set(looks.map((look) => look.join()))).toHaveProperty('size', 6)
  expect(primary).toBe('var(--mantine-color-clay-filled)')
  expect(secondary).toBe('var(--mantine-color-default)')
  expect(success).toBe('var(--mantine-color-herb-filled)')
  expect(warning).toBe('var(--mantine-color-honey-filled)')
  expect(ghost).toBe('transparent')
  expect(gradient).toMatch(/^linear-gradient/)
})

it('comes in three sizes, medium unless something else is asked for', () => {
  const height = (button: ReactNode) => {
    const found = show(button).style.getPropertyValue('--button-height')
    document.body.replaceChildren()
    return found
  }
  const medium = height(<Button size="md">Go</Button>)
  expect(
    new Set([height(<Button size="sm">Go</Button>), medium, height(<Button size="lg">Go</Button>)]),
  ).toHaveProperty('size', 3)
  expect(height(<Button>Go</Button>)).toBe(medium)
})

it('shows a spinner and is disabled while something is under way', () => {
  const idle = show(<Button variant="primary">Go</Button>)
  expect(idle).toHaveProperty('disabled', false)
  expect(idle.querySelector('.mantine-Button-loader .mantine-Loader-root')).toBeNull()
  document.body.replaceChildren()
  const busy = show(
    <Button variant="primary" loading>
      Go
    </Button>,
  )
  expect(busy).toHaveProperty('disabled', true)
  expect(busy.querySelector('.mantine-Button-loader .mantine-Loader-root')).toBeTruthy()
})
