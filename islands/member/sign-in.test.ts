import { describe, expect, test } from 'bun:test'
import { ApiError } from '#islands/runtime/api-error'
import { failureOf } from './sign-in'

describe('failed sign-in', () => {
  test('shows the server’s message', () => {
    const error = new ApiError(
      401,
      '{"success":false,"message":"Email or password is not right."}',
      'Unauthorized',
    )
    expect(failureOf('sign-in', error)).toBe('Email or password is not right.')
  })

  test('shows a generic message when the server sent none', () => {
    expect(failureOf('sign-in', new ApiError(502, '<html>', 'Bad Gateway'))).toBe('Authentication failed')
  })

  test('asks to try again when the server did not answer', () => {
    expect(failureOf('sign-in', new TypeError('Failed to fetch'))).toBe('Login failed. Please try again.')
    expect(failureOf('register', new TypeError('Failed to fetch'))).toBe(
      'Registration failed. Please try again.',
    )
  })
})
